"""`pincite check`: the quotations of a text hold, or the command fails."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from unit.transports.cli.conftest import Pincite

KEYS = (
    "# Keys\n\n## Rotation\n\nRotate the signing keys every month.\n\n"
    "## Storage\n\nKeep them in a vault, never in a file.\n"
)


@pytest.fixture
def ref(docs: Path, pincite: Pincite) -> str:
    (docs / "keys.md").write_text(KEYS, encoding="utf-8")
    return _ref(docs, pincite)


def _ref(docs: Path, pincite: Pincite) -> str:
    found = json.loads(pincite("search", '"every month"', "--docs", docs, "--json", "-k", "1").out)
    return found["results"][0]["ref"]


def _report(folder: Path, text: str) -> Path:
    file = folder / "report.md"
    file.write_bytes(text.encode())
    return file


def _checked(ran_out: str) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads(ran_out)["quotations"])


def test_quotations_that_hold_are_exit_code_0(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    report = _report(home, f"> Rotate the signing keys every month.\n>\n> — `{ref}`\n\nNo quotation: `{ref}`\n")
    ran = pincite("check", report, "--against", docs)
    assert (ran.code, ran.out, ran.err) == (0, "1 quotation, 0 warnings, 0 errors\n", "")


def test_one_that_does_not_hold_is_exit_code_1(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    report = _report(home, f'Fine: "every month" `{ref}`\n\nWrong: "every year" `{ref}`\n')
    ran = pincite("check", report, "--against", docs)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"{report.as_posix()}:3: error: “every year” The document does not say this.",
        "2 quotations, 0 warnings, 1 error",
    ]


@pytest.mark.parametrize("gone", ["nowhere.md@00000000#h0-c1", "keys.md@00000000#h99"])
def test_a_reference_that_opens_nothing_does_not_hold(
    docs: Path, home: Path, pincite: Pincite, ref: str, gone: str
) -> None:
    report = _report(home, f'"Rotate the signing keys" `{gone}` and "every month" `{ref}`')
    ran = pincite("check", report, "--against", docs, "--json")
    assert ran.code == 1
    first, second = _checked(ran.out)
    assert (first["level"], first["verdict"], second["level"]) == ("error", None, "ok")
    assert first["message"].startswith(("No document", "Revision 00000000"))
    assert (first["newer_ref"] is not None) == gone.startswith("keys.md")


def test_moved_and_stitched_warn_and_fail_strictly(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    report = _report(
        home,
        f'"never in a file" `{ref}`\n\n"Rotate the signing keys every month. Keep them in a vault, never in a file."'
        f" `{ref}`\n",
    )
    ran = pincite("check", report, "--against", docs, "--json")
    assert ran.code == 0
    assert [(found["verdict"], found["level"]) for found in _checked(ran.out)] == [
        ("moved", "warning"),
        ("stitched", "warning"),
    ]
    assert pincite("check", report, "--against", docs, "--strict").code == 1


def test_a_changed_document_holds_and_fix_writes_the_newer_reference(
    docs: Path, home: Path, pincite: Pincite, ref: str
) -> None:
    (docs / "keys.md").write_text("# New\n\nWords before.\n\n" + KEYS, encoding="utf-8")
    newer = _ref(docs, pincite)
    assert newer != ref
    report = _report(home, f'Prüfung:\r\n"every month" [keys]({ref})\r\n"every year" `{ref}`\r\n')
    ran = pincite("check", report, "--against", docs, "--json")
    assert ran.code == 1
    assert [(found["level"], found["newer_ref"] is not None) for found in _checked(ran.out)] == [
        ("ok", True),
        ("error", True),
    ]
    assert ref in report.read_text(encoding="utf-8")
    report = _report(home, f'Prüfung:\r\n"every month" [keys]({ref})\r\n')
    ran = pincite("check", report, "--against", docs, "--fix")
    assert (ran.code, f"here: {newer}" in ran.out) == (0, True)
    assert report.read_bytes().decode() == f'Prüfung:\r\n"every month" [keys]({newer})\r\n'
    assert pincite("check", report, "--against", docs).out == "1 quotation, 0 warnings, 0 errors\n"


def test_fix_mends_the_reference_of_a_text_that_was_added_to(
    docs: Path, home: Path, pincite: Pincite, ref: str
) -> None:
    (docs / "keys.md").write_text(
        KEYS.replace("Rotate the", "Ask twice, then write to everyone. Rotate the"), encoding="utf-8"
    )
    report = _report(home, f'"every month" `{ref}` but "every year" `{ref}`\n')
    ran = pincite("check", report, "--against", docs, "--fix", "--json")
    here, absent = _checked(ran.out)
    assert (ran.code, here["verdict"], here["level"], absent["newer_ref"]) == (1, None, "error", None)
    assert f"These words are at {here['newer_ref']}." in here["message"]
    newer = here["newer_ref"]
    assert report.read_text("utf-8") == f'"every month" `{newer}` but "every year" `{newer}`\n'
    assert pincite("check", _report(home, f'"every month" `{newer}`'), "--against", docs).code == 0


def test_fix_leaves_a_reference_whose_words_are_in_two_places_now(
    docs: Path, home: Path, pincite: Pincite, ref: str
) -> None:
    (docs / "keys.md").write_text(
        "# A\n\nRotate the signing keys daily.\n\n# B\n\nNever in a file.\n", encoding="utf-8"
    )
    text = f'"Rotate the signing keys" `{ref}` and "never in a file" `{ref}`\n'
    report = _report(home, text)
    assert pincite("check", report, "--against", docs, "--fix").code == 1
    assert report.read_text("utf-8") == text


def test_github_shows_each_problem_at_its_line(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    report = _report(home, f'\n"100 % every,\nyear" `{ref}`\n')
    ran = pincite("check", report, "--against", docs, "--format", "github")
    assert ran.code == 1
    place = report.as_posix().replace(":", "%3A").replace(",", "%2C")
    assert ran.out == (
        f"::error file={place},line=3,title=pincite check::“100 %25 every, year” The document does not say this.\n"
    )


def test_sarif_has_a_rule_and_a_place_for_each_problem(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    report = _report(home, f'"every year" `{ref}`\n\n"every month" `{ref}`\n\n"never in a file" `{ref}`\n')
    log = json.loads(pincite("check", "report.md", "--against", docs, "--format", "sarif").out)
    assert report.is_file() and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["absent", "exact", "moved"]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("absent", "error"),
        ("moved", "warning"),
    ]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "report.md"}, "region": {"startLine": 5}}


def test_a_folder_is_checked_file_by_file(docs: Path, home: Path, pincite: Pincite, ref: str) -> None:
    reports = home / "reports"
    (reports / "deep").mkdir(parents=True)
    _report(reports, f'"every month" `{ref}`')
    _report(reports / "deep", f'"every month" `{ref}`')
    assert pincite("check", reports, reports / "report.md", "--against", docs).out.startswith("2 quotations")


def test_a_text_without_quotations_holds(docs: Path, home: Path, pincite: Pincite) -> None:
    ran = pincite("check", _report(home, "Nothing is cited.\n"), "--against", docs)
    assert (ran.code, ran.out) == (0, "0 quotations, 0 warnings, 0 errors\n")


def test_what_cannot_be_read_is_said(docs: Path, home: Path, pincite: Pincite) -> None:
    assert pincite("check", "missing.md", "--against", docs).code == 2
    (home / "latin.md").write_bytes(b"\xff")
    ran = pincite("check", "latin.md", "--against", docs)
    assert (ran.code, "'latin.md' cannot be read as UTF-8" in ran.err) == (2, True)
    ran = pincite("check", "latin.md", "--format", "xml")
    assert (ran.code, "--format takes text, json, github, sarif." in ran.err) == (2, True)
