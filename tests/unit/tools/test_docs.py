import base64
import itertools
import random
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from pincite.app import App
from pincite.errors import InvalidInput, NotFound
from pincite.model.call import Call
from pincite.tools.answers.docs import PageAnswer, PagesAnswer
from support.serving import MakeApp, ask

MOST_CHARS = 256 * 16
"""Of a passage."""


def test_what_has_few_tokens_makes_no_long_passage(folder: Path, make_app: MakeApp) -> None:
    picture = base64.b64encode(random.Random(1).randbytes(15_000)).decode()  # noqa: S311 - it is to repeat
    pages = {
        "picture.md": f"# Zebra\n\nzebra ![a zebra](data:image/png;base64,{picture})\n",
        "code.md": f"# Zebra\n\n```\nzebra\n{picture}\n```\n",
        "table.md": f"# Zebra\n\n| a | b |\n|---|---|\n| zebra | {picture} |\n",
        "padded.md": "# Zebra\n\n| a | b |\n|---|---|\n" + f"| zebra | {'b' + ' ' * 900} |\n" * 20,
        "line.md": f"# Zebra\n\nzebra {picture}\n",
    }
    for name, text in pages.items():
        (folder / name).write_text(text)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    for name in pages:
        results = ask(app, "zebra", top_k=20, file_filter=name).results
        assert results and max(len(result.content) for result in results) <= MOST_CHARS, name


def test_a_passage_shows_no_payload_and_nothing_invisible_where_the_page_is_raw(
    folder: Path, make_app: MakeApp
) -> None:
    smuggled = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    text = f"# Zebra\n\nzebra{smuggled} ![a zebra](data:image/png;base64,{'A' * 900})\n"
    (folder / "a.md").write_text(text)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    (result,) = ask(app, "zebra", file_filter="a.md").results
    assert result.content == "# Zebra\n\nzebra ![a zebra](data:image/png;base64,…)\n"
    assert result.metadata.char_count == len(result.content) and result.incomplete
    page = app.toolbox.call("get_page", {"file_path": "a.md"}, Call())
    assert "".join(chunk["content"] for chunk in page.model_dump()["chunks"]) == text


def test_a_bound_cuts_the_results_and_its_pages_joined_are_the_whole(folder: Path, make_app: MakeApp) -> None:
    for n in range(12):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\n" + f"The zebra number {n} crosses a street. " * 20)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    whole = ask(app, "zebra street", top_k=12)
    assert whole.truncated is None
    joined: dict[str, str] = {}
    cursor = None
    for _ in range(40):
        page = ask(app, "zebra street", top_k=12, max_tokens=900, cursor=cursor)
        assert app.embedder.tokenizer.count(page.model_dump_json()) <= 900
        for result in page.results:
            joined[result.ref] = joined.get(result.ref, "") + result.content
        cursor = page.next_cursor
        if cursor is None:
            break
    assert list(joined.items()) == [(result.ref, result.content) for result in whole.results]


def test_how_long_a_search_took_does_not_change_where_its_answer_is_cut(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\n" + f"The zebra number {n} crosses a street. " * 20)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    pages: dict[float, str] = {}
    for seconds in (0.0, 0.0071, 1.234567, 123.456789):
        clock = itertools.cycle([0.0, seconds])
        monkeypatch.setattr("pincite.tools.docs.time", SimpleNamespace(monotonic=partial(next, clock)))
        page = ask(app, "zebra street", max_tokens=700)
        pages[page.query_ms] = repr((page.next_cursor, page.results))
    assert list(pages) == [0.0, 7.1, 1234.567, 123456.789]
    assert len(set(pages.values())) == 1


def test_a_change_of_what_is_found_between_two_pages_is_an_error(folder: Path, make_app: MakeApp) -> None:
    for n in range(5):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\n" + f"The zebra number {n} crosses a street. " * 20)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    asked: dict[str, object] = {"query": "zebra street", "max_tokens": 700}
    cursor = ask(app, "zebra street", max_tokens=700).next_cursor
    (folder / "0.md").write_text("# Page 0\n\nThe zebra crosses a street at night.\n")
    with pytest.raises(InvalidInput, match="have changed"):
        app.toolbox.call("search_docs", {**asked, "cursor": cursor}, Call())


SECTIONS = "".join(f"## Part {n}\n\ntext {n}\n\n" for n in range(5))


def filled(folder: Path, make_app: MakeApp) -> App:
    for n in range(4):
        (folder / f"{n}.md").write_text(SECTIONS)
    app = make_app()
    app.toolbox.call("list_pages", {}, Call())
    return app


def test_a_page_comes_in_parts(folder: Path, make_app: MakeApp) -> None:
    app = filled(folder, make_app)
    content, cursor, parts = "", None, 0
    while parts == 0 or cursor:
        arguments = {"file_path": "0.md", "cursor": cursor}
        answer = app.toolbox.call("get_page", arguments, Call(deadline=time.monotonic()))
        assert isinstance(answer, PageAnswer)
        assert answer.partial is (True if answer.next_cursor else None)
        content += "".join(chunk.content for chunk in answer.chunks)
        cursor, parts = answer.next_cursor, parts + 1
    assert content == SECTIONS and parts > 1


def test_a_list_of_pages_comes_in_parts(folder: Path, make_app: MakeApp) -> None:
    app = filled(folder, make_app)
    first = app.toolbox.call("list_pages", {}, Call(deadline=time.monotonic()))
    assert isinstance(first, PagesAnswer)
    assert ([page.file_path for page in first.pages], first.total_pages, first.partial) == (["0.md"], 4, True)
    rest = app.toolbox.call("list_pages", {"cursor": first.next_cursor}, Call())
    assert isinstance(rest, PagesAnswer)
    assert ([page.file_path for page in rest.pages], rest.partial) == (["1.md", "2.md", "3.md"], None)


@pytest.mark.usefixtures("no_background")
def test_an_empty_folder_is_told_from_one_that_is_being_read(folder: Path, make_app: MakeApp) -> None:
    app = make_app(PINCITE_FRESH_BUDGET="0")
    assert ask(app, "zebra").note == "The folder has no pages; get_status says what was skipped."
    for n in range(40):
        (folder / f"{n:02}.md").write_text(f"# Page {n}\n\nA zebra.\n")
    note = ask(app, "zebra").note
    assert note is not None and note.startswith(
        "The documents are still being indexed, 0 of 40 so far: ask again in a moment"
    )
    note = ask(app, "zebra", file_filter="0*.md").note
    assert note is not None and "0 of 10 so far" in note
    assert ask(app, "zebra", file_filter="none.md").note == "No page matches file_filter."


@pytest.mark.parametrize("file_filter", [None, "a.md"])
def test_a_folder_without_text_is_told_from_an_empty_one(
    folder: Path, make_app: MakeApp, file_filter: str | None
) -> None:
    (folder / "a.md").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(1000))
    note = ask(make_app(PINCITE_FRESH_BUDGET="inf"), "zebra", file_filter=file_filter).note
    assert note == "No page (1 indexed) has text that could be read; get_status says why."


@pytest.mark.usefixtures("no_background")
def test_of_documents_that_wait_to_be_read_it_is_not_claimed_that_they_lack_the_words(
    folder: Path, make_app: MakeApp
) -> None:
    without_model = {"EMBEDDING_PROVIDER": "local", "PINCITE_FETCH_MODEL": False}
    for name in ("a.md", "b.md"):
        (folder / name).write_text("# Page\n\nzebra\n")
    ask(make_app(PINCITE_FRESH_BUDGET="inf", **without_model), "zebra")
    (folder / "a.md").write_text("# Page\n\nthe slow walrus\n")
    hurried, patient = (make_app(PINCITE_FRESH_BUDGET=budget, **without_model) for budget in ("0", "inf"))
    waiting = "1 document waits: ask again in a moment."
    assert str(ask(hurried, "walrus").note).startswith("No page indexed so far contains these words. ")
    assert waiting in str(ask(hurried, "walrus").note)
    note = str(ask(hurried, '"slow walrus"').note)
    assert note.startswith(
        f"No passage indexed so far contains “slow walrus” word for word: its words were searched. {waiting}"
    )
    assert waiting not in str(ask(hurried, "zebra").note)
    assert str(ask(patient, "pelican").note).startswith("No page contains these words. Ranked by keywords only")


def test_a_suffix_is_a_whole_heading_before_it_is_its_last_words(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text(
        "# A\n\n## 5.1 Keys\n\nx\n\n## Keys\n\ny\n\n## 5.2 Secret keys\n\nz\n\n## 6 Secret\n\nw\n"
    )
    app = make_app()

    def served(heading: str) -> str:
        asked = {"file_path": "a.md", "heading_path": heading, "match": "suffix"}
        return app.toolbox.call("get_section", asked, Call()).model_dump()["metadata"]["heading_path"]

    assert served("Keys") == "A > Keys"
    assert served("Secret keys") == "A > 5.2 Secret keys" and served("Secret") == "A > 6 Secret"
    for several_or_none in ("keys Keys", "ecret"):
        with pytest.raises(NotFound, match="No section found"):
            served(several_or_none)
