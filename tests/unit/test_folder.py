import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import pincite
from pincite.evidence.quotes import Verdict
from support.pdfs import column, pdf

ROTATION = "rotate the signing keys"
KEYS = "# Keys\n\n## Rotation\n\nRotate the signing keys every month.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "keys.md").write_text(KEYS, encoding="utf-8")
    (root / "start.md").write_text("# Start\n\nInstall it and run it.\n", encoding="utf-8")
    return root


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash"}


@pytest.fixture
def docs(folder: Path, settings: dict[str, object]) -> Iterator[pincite.Folder]:
    with pincite.open(folder, settings=settings) as docs:
        yield docs


def test_a_search_returns_cited_passages_best_first(docs: pincite.Folder) -> None:
    results = docs.search(ROTATION, n=1)
    assert results == [
        pincite.SearchResult(
            content="## Rotation\n\nRotate the signing keys every month.\n",
            score=results[0].score,
            ref=results[0].ref,
            file_path="keys.md",
            heading_path="Keys > Rotation",
            page_numbers=[],
            incomplete=None,
        )
    ]
    assert 0 < results[0].score <= 1
    assert (results.search_type, results.did_you_mean, results.index_state.stale) == ("hybrid", None, False)


def test_a_first_search_waits_until_everything_is_indexed(folder: Path, docs: pincite.Folder) -> None:
    for number in range(120):  # more than PINCITE_BULK, which a server would leave to the background
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nIt speaks of zebras.\n", encoding="utf-8")
    state = docs.search("zebras").index_state
    assert (state.pending, state.stale, state.reason) == (0, False, None)
    assert docs.status().pages == 122


def test_an_edit_and_a_deletion_are_in_the_next_answer(folder: Path, docs: pincite.Folder) -> None:
    ref = docs.search(ROTATION)[0].ref
    (folder / "keys.md").write_text(KEYS.replace("every month", "every platypus day"), encoding="utf-8")
    assert "platypus" in docs.search(ROTATION)[0].content
    with pytest.raises(pincite.NotFound, match="Rotation"):
        docs.read(ref)
    (folder / "keys.md").unlink()
    assert [result.file_path for result in docs.search("signing keys")] == ["start.md"]


def test_an_old_reference_to_an_unchanged_text_names_the_newer_one(folder: Path, docs: pincite.Folder) -> None:
    ref = docs.search(ROTATION)[0].ref
    (folder / "keys.md").write_text(KEYS.replace("# Keys\n", "# Keys\n\nOf every kind.\n", 1), encoding="utf-8")
    citation = docs.read(ref)
    assert (citation.current, citation.ref) == (False, ref)
    assert citation.newer_ref is not None
    assert docs.read(citation.newer_ref).current


def test_a_citation_is_complete_however_long_it_is(folder: Path, docs: pincite.Folder) -> None:
    long = "# Long\n\n" + "".join(f"Word {number} of a very long section.\n" for number in range(9_000))
    (folder / "long.md").write_text(long, encoding="utf-8")
    revision = docs.search("very long section", n=1)[0].ref.partition("#")[0]
    citation = docs.read(f"{revision}#h1")
    assert citation.content == long
    assert (citation.title, citation.file_path, citation.heading_path) == ("Long", "long.md", "Long")


def test_context_adds_neighbours(docs: pincite.Folder) -> None:
    ref = docs.search(ROTATION)[0].ref
    assert docs.read(ref, context=1).content == KEYS


def test_a_passage_of_a_pdf_names_its_pages(folder: Path, docs: pincite.Folder) -> None:
    (folder / "two.pdf").write_bytes(pdf(column("Nothing here."), column("The platypus swims.")))
    result = docs.search("platypus", n=1)[0]
    assert result.page_numbers == [1, 2]
    assert docs.read(result.ref).page_numbers == [1, 2]


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("Rotate the signing keys every month.", "exact"),
        ("Rotate the  signing keys every month.", "normalised"),
        ("Rotate the signing keys every year.", "absent"),
    ],
)
def test_a_quote_is_verified(docs: pincite.Folder, quote: str, verdict: str) -> None:
    found = docs.verify(docs.search(ROTATION)[0].ref, quote)
    assert found.verdict == verdict
    assert (found.at is None, found.content == "") == (verdict == "absent", verdict == "absent")


def test_verdicts_are_those_of_the_tool() -> None:
    assert get_args(pincite.Verdict) == tuple(Verdict)


def test_the_status_counts_what_is_served(folder: Path, docs: pincite.Folder) -> None:
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    (folder / ".hidden.md").write_text("# Hidden\n")
    status = docs.status()
    assert (status.pages, status.chunks, status.model_state) == (2, 3, "ready")
    assert (len(status.failed), sum(status.failed.values())) == (1, 1)
    assert status.skipped["hidden"] == 1


def test_a_filter_narrows_and_an_empty_list_says_why(docs: pincite.Folder) -> None:
    assert {result.file_path for result in docs.search("it", file_filter="start.*")} == {"start.md"}
    nothing = docs.search("it", file_filter="*.rst")
    assert (nothing, nothing.note) == ([], "No page matches file_filter.")


def test_without_a_model_words_alone_rank_and_a_note_says_so(folder: Path, tmp_path: Path) -> None:
    settings = {"PINCITE_CACHE": tmp_path / "cache", "PINCITE_FETCH_MODEL": False}
    with pincite.open(folder, settings=settings) as docs:
        results = docs.search("signing keys")
        assert (results[0].file_path, results.search_type, results.relevance) == ("keys.md", "keyword", None)
        assert results.note is not None and "keywords only" in results.note
        assert docs.status().model_state == "unavailable"


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("search", ("keys", 0), "n is 0; it must be from 1 to 20"),
        ("search", ("keys", 21), "n is 21; it must be from 1 to 20"),
        ("search", (" ",), "query parameter is required"),
        ("search", (5,), "query should be text, not 5"),
        ("read", ("no reference",), "no reference"),
        ("verify", ("keys.md@00000000#h1", "x" * 20_001), "20,001 characters; the maximum is 20,000"),
    ],
)
def test_a_wrong_argument_is_refused_with_what_is_right(
    docs: pincite.Folder, method: str, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(pincite.InvalidInput, match=message):
        getattr(docs, method)(*arguments)


def test_an_unknown_document_is_an_error_that_names_the_nearest(docs: pincite.Folder) -> None:
    with pytest.raises(pincite.NotFound, match=r"keys\.md"):
        docs.read("kyes.md@00000000#h1")


def test_a_folder_that_is_none_is_refused(folder: Path) -> None:
    with pytest.raises(pincite.ConfigError, match="nowhere' does not exist"):
        pincite.open(folder / "nowhere")
    with pytest.raises(pincite.ConfigError, match=r"keys.md' is a file"):
        pincite.open(folder / "keys.md")


def test_a_setting_is_checked_as_one_of_the_environment(folder: Path) -> None:
    with pytest.raises(pincite.ConfigError, match="Did you mean PINCITE_CACHE") as refused:
        pincite.open(folder, settings={"PINCITE_CACH": "x", "LOG_LEVEL": "LOUD"})
    assert "- LOG_LEVEL: " in refused.value.message


def test_text_and_paths_name_a_folder(
    folder: Path, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    for name in ("docs", Path("docs"), str(folder), folder):
        with pincite.open(name, settings=settings) as docs:
            assert docs.path == Path(name)
            assert docs.status().pages == 2


def test_a_closed_folder_says_so(docs: pincite.Folder) -> None:
    assert repr(docs).endswith("docs'>")
    docs.close()
    docs.close()
    assert repr(docs).endswith("docs', closed>")
    with pytest.raises(pincite.InvalidInput, match="'docs' is closed"):
        docs.search("keys")


def test_several_may_be_open_and_each_sees_every_edit(folder: Path, settings: dict[str, object]) -> None:
    with pincite.open(folder, settings=settings) as one, pincite.open(folder, settings=settings) as other:
        assert one.search("keys")[0].ref == other.search("keys")[0].ref
        (folder / "zebra.md").write_text("# Zebra\n\nIt crosses.\n", encoding="utf-8")
        assert one.search("zebra")[0].file_path == other.search("zebra")[0].file_path == "zebra.md"


def test_threads_may_share_a_folder(docs: pincite.Folder) -> None:
    found: list[str] = []

    def search() -> None:
        found.extend(docs.search("signing keys", n=1)[0].file_path for _ in range(5))

    threads = [threading.Thread(target=search) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["keys.md"] * 30


SCRIPT = """
import os, sys, pincite
docs = pincite.open({folder!r}, settings={settings!r})
print(docs.search("signing keys")[0].file_path, flush=True)
try:
    docs.read("kyes.md@00000000#h1")
except pincite.NotFound:
    pass
{rest}
"""
FORK = """
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    docs.search("keys")
except pincite.InvalidInput as error:
    print(error)
    sys.exit(3)
"""


def run_script(folder: Path, settings: dict[str, object], rest: str) -> "subprocess.CompletedProcess[str]":
    script = SCRIPT.format(folder=str(folder), settings={k: str(v) for k, v in settings.items()}, rest=rest)
    command = [sys.executable, "-W", "error", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_program_that_closes_nothing_ends_quietly(folder: Path, settings: dict[str, object]) -> None:
    ran = run_script(folder, settings, rest="")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "keys.md\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_is_told_to_open_the_folder_itself(folder: Path, settings: dict[str, object]) -> None:
    ran = run_script(folder, settings, rest=FORK)
    assert (ran.returncode, ran.stderr) == (3, "")
    assert "opened by another process" in ran.stdout


def test_an_import_loads_nothing_but_the_standard_library(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import pincite; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert [name for name in loaded if name.startswith("pincite")] == ["pincite", "pincite.errors", "pincite.version"]
    known = sys.stdlib_module_names
    assert [name for name in loaded if name.partition(".")[0] not in {*known, "pincite"}] == []
    assert {"asyncio", "dataclasses", "logging", "sqlite3", "email", "http"} & set(loaded) == set()
