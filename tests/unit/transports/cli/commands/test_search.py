import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.toolkit import Answer, Toolbox
from support.pdfs import column, pdf


def test_a_passage_comes_with_breadcrumb_file_reference_and_text(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("search", "rotate every month", "--docs", docs, "--top-k", "1")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "1. Keys > Rotation"
    assert lines[1].startswith("   keys.md  score ")
    assert parse(lines[2].removeprefix("   ref ")).document == "keys.md"
    assert "   | Rotate the signing keys every month." in lines


def test_a_passage_of_a_pdf_comes_with_its_page(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "one.pdf").write_bytes(pdf(column("The zebra crosses.")))
    (docs / "two.pdf").write_bytes(pdf(column("Nothing here."), column("The platypus swims.")))
    assert "   one.pdf, page 1  score " in pincite("search", "zebra", "--docs", docs, "-k", "1").out
    assert "   two.pdf, pages 1 to 2  score " in pincite("search", "platypus", "--docs", docs, "-k", "1").out


def test_a_page_without_a_matching_h1_shows_its_title_in_front(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "late.md").write_text("Zebra crossing.\n\n# Later\n\nMore.\n", encoding="utf-8")
    assert pincite("search", "zebra", "--docs", docs, "-k", "1").out.startswith("1. Later\n")


@pytest.mark.parametrize("path", ["./nowhere", "../no/where", "~/nowhere", "/no/where"])
def test_a_path_that_is_not_there_is_said_to_be_searched_as_a_word(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(docs)
    assert (
        pincite("search", "keys", path, "--yes").err == f"note: There is no {path} here: it was searched as a word.\n"
    )
    assert pincite("search", "keys", "and/or").err == pincite("search", "keys", "./keys.md").err == ""


def test_a_search_is_one_call(pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    call = Toolbox.call

    def count(toolbox: Toolbox, name: str, arguments: Mapping[str, Any], context: Call) -> Answer:
        called.append(name)
        return call(toolbox, name, arguments, context)

    monkeypatch.setattr(Toolbox, "call", count)
    assert pincite("search", "keys", "--docs", docs, "-k", "2").out.startswith("1. ")
    assert [name for name in called if name != "get_status"] == ["search_docs"]


def test_machines_get_the_answer_as_agents_do(pincite: Callable[..., Any], docs: Path) -> None:
    answer = json.loads(pincite("search", "signing keys", "--docs", docs, "--json").out)
    assert answer["results"][0]["metadata"]["file_path"] == "keys.md"
    assert answer["search_type"] == "hybrid"
    assert answer["index"]["stale"] is False


def test_a_filter_that_matches_nothing_is_told_and_no_failure(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("search", "keys", "--docs", docs, "--filter", "*.rst")
    assert (ran.code, ran.out) == (0, "No passage found in 0 chunks.\n")
    assert ran.err == "note: No page matches file_filter.\n"


def test_the_working_directory_is_searched_where_no_folder_is_named(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs)
    assert "keys.md" in pincite("search", "signing", "--yes").out


def test_a_question_needs_no_quotation_marks(pincite: Callable[..., Any], docs: Path) -> None:
    assert "1. Keys > Rotation" in pincite("search", "how", "do", "I", "rotate", "keys", "--docs", docs).out
    assert "1. Keys > Rotation" in pincite("search", "rotate", "-k", "1", "the", "keys", "--docs", docs).out


def test_a_path_at_the_end_is_what_is_searched(pincite: Callable[..., Any], docs: Path) -> None:
    assert "keys.md" in pincite("search", "signing", "keys", "./docs").out
    only = pincite("search", "run", "the", "keys", docs / "start.md").out
    assert "start.md" in only and "keys.md" not in only


def test_a_word_that_names_a_file_is_a_word(pincite: Callable[..., Any], docs: Path) -> None:
    assert "keys.md" in pincite("search", "signing", "docs", "--yes").out  # without a slash
    assert "keys.md" in pincite("search", "signing", "and/or").out  # there is no such path
    assert pincite("search", "./docs").code == 0  # a path alone is the question
    assert "docs/keys.md" in pincite("search", "signing", "./docs", "--docs", docs.parent).out


def test_one_file_is_searched_alone(pincite: Callable[..., Any], docs: Path) -> None:
    odd = docs / "a [b], {c}.md"
    odd.write_text("# Odd\n\nThe signing keys of others.\n", encoding="utf-8")
    for file in (odd, docs / "keys.md"):
        answer = json.loads(pincite("search", "signing keys", "--docs", file, "--json").out)
        assert {result["metadata"]["file_path"] for result in answer["results"]} == {file.name}
    assert pincite("search", "keys", "--docs", odd, "--filter", "*.md").code == 2


@pytest.mark.parametrize("pattern", ["keys.md", "k*.md", "sub/", "sub/**", "**/keys.md"])
def test_a_filter_is_a_name_in_any_folder_or_a_path(pincite: Callable[..., Any], docs: Path, pattern: str) -> None:
    (docs / "sub").mkdir()
    (docs / "keys.md").rename(docs / "sub" / "keys.md")
    answer = json.loads(pincite("search", "run keys", "--docs", docs, "--filter", pattern, "--json").out)
    assert {result["metadata"]["file_path"] for result in answer["results"]} == {"sub/keys.md"}


def test_a_question_can_come_from_standard_input(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("every month\n"))
    assert "1. Keys > Rotation" in pincite("search", "-", docs).out


def test_a_result_can_go_to_a_file(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    shown = pincite("search", "every month", docs).out
    ran = pincite("search", "every month", docs, "-o", "hits.txt")
    assert (ran.code, ran.out) == (0, "")
    assert (home / "hits.txt").read_text(encoding="utf-8") == shown
    ran = pincite("search", "every month", docs, "-o", "nowhere/hits.txt")
    assert (ran.code, ran.err) == (2, "error: 'nowhere/hits.txt' cannot be written: No such file or directory.\n")
    pincite("search", "every month", "./nowhere", "--docs", "nowhere", "-o", "hits.txt")
    assert (home / "hits.txt").read_text(encoding="utf-8") == shown  # a failure leaves it as it is


def test_an_edit_is_in_the_next_answer(pincite: Callable[..., Any], docs: Path) -> None:
    pincite("search", "keys", "--docs", docs)
    (docs / "keys.md").write_text("# Keys\n\nNever lend the platypus.\n", encoding="utf-8")
    assert "platypus" in pincite("search", "platypus", "--docs", docs).out


def test_without_a_model_words_alone_rank_and_a_note_says_so(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_PROVIDER", "local")
    ran = pincite("search", "signing", "--docs", docs)
    assert "keys.md" in ran.out
    assert "note: Ranked by keywords only: " in ran.err


def test_an_answer_that_may_miss_a_change_is_exit_code_1(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "0")
    ran = pincite("search", "signing", "--docs", docs)
    assert ran.code == 1
    assert "note: This answer may miss a change: " in ran.err


def test_an_empty_query_is_refused(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("search", "  ", "--docs", docs, "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["error"]["code"] == "invalid_input"


def test_a_closed_pipe_is_quiet(docs: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "pincite", "search", "keys", "--docs", str(docs)]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, "")
