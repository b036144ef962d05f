import io
import json
from pathlib import Path

import pytest

from pincite.model.locator import parse
from unit.transports.cli.conftest import Pincite


@pytest.fixture
def ref(docs: Path, pincite: Pincite) -> str:
    found = json.loads(pincite("search", "every month", "--docs", docs, "--json").out)
    return found["results"][0]["ref"]


def test_a_quote_is_checked_against_its_reference(docs: Path, pincite: Pincite, ref: str) -> None:
    ran = pincite("verify", "Rotate the signing keys", ref, "--docs", docs)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "exact: the document has these characters")
    assert "   | Rotate the signing keys" in ran.out
    assert pincite("verify", "Rotate the\nsigning  keys", ref, "--docs", docs).code == 0
    ran = pincite("verify", "Rotate the SIGNING keys", ref, "--docs", docs)
    assert (ran.code, ran.out) == (1, "absent: the document does not have it\n")
    moved = pincite("verify", "Install it", ref.replace("keys.md", "start.md"), "--docs", docs)
    assert moved.code == 1


def test_the_reference_may_come_first_as_in_the_tool(docs: Path, pincite: Pincite, ref: str) -> None:
    assert pincite("verify", ref, "Rotate the signing keys", docs).out.startswith("exact: ")
    assert pincite("verify", ref, ref, docs).code == 1


def test_machines_get_the_answer_of_the_tool(docs: Path, pincite: Pincite, ref: str) -> None:
    ran = pincite("verify", "signing keys", ref, "--docs", docs, "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["verdict"], answer["content"]) == (0, "exact", "signing keys")
    assert answer["index"]["stale"] is False


def test_without_a_reference_the_document_that_has_the_quote_is_found(docs: Path, pincite: Pincite) -> None:
    for number in range(30):
        text = f"# Page {number}\n\nSigning the month, rotate every {number} keys.\n"
        (docs / f"{number}.md").write_text(text, encoding="utf-8")
    ran = pincite("verify", "Rotate the signing keys every month.", "--docs", docs)
    exact, ref, *_ = ran.out.splitlines()
    assert (ran.code, exact) == (0, "exact: the document has these characters")
    assert parse(ref.removeprefix("   ref ")).document == "keys.md"
    ran = pincite("verify", "rotate “every 7 keys”", "--docs", docs, "--json")
    assert ran.code == 1
    ran = pincite("verify", "“rotate every 7 keys”", "--docs", docs, "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["verdict"], parse(answer["at"]).document) == (0, "normalised", "7.md")
    ran = pincite("verify", "Rotate the platypus.", "--docs", docs)
    assert (ran.code, ran.out) == (1, "absent: no document here has it\n")


def test_a_quote_over_two_sections_is_found(docs: Path, pincite: Pincite) -> None:
    ran = pincite("verify", "Rotation\n\nRotate the signing keys", "--docs", docs)
    assert (ran.code, ran.out.partition(":")[0]) == (0, "exact")


def test_a_quote_without_a_word_is_exit_code_2(docs: Path, pincite: Pincite) -> None:
    ran = pincite("verify", "…", "--docs", docs)
    assert (ran.code, ran.err.partition(".")[0]) == (2, "error: The quote has no word and no number")


def test_a_path_after_the_quote_is_what_is_searched(docs: Path, pincite: Pincite, ref: str) -> None:
    assert pincite("verify", "Rotate the signing keys", "./docs").code == 0
    assert pincite("verify", "Rotate the signing keys", docs / "keys.md").code == 0
    assert pincite("verify", "Rotate the signing keys", docs / "start.md").code == 1
    assert pincite("verify", "Rotate the signing keys", ref, "./docs").code == 0


def test_a_quote_can_come_from_standard_input(docs: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Rotate the signing keys\n"))
    assert pincite("verify", "-", docs).code == 0


def test_a_reference_that_leads_nowhere_does_not_have_the_quote(pincite: Pincite, docs: Path) -> None:
    ran = pincite("verify", "Rotate the signing keys", "none.md@9f31c2aa#h1", "--docs", docs)
    assert (ran.code, ran.out) == (1, "") and "none.md" in ran.err
