"""The tools over chunks that overlap: nothing repeats, nothing shifts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.index.view import View
from pincite.index.views import Views
from pincite.model.call import Call
from pincite.tools.citations import CitationsToolset
from pincite.tools.docs import DocsToolset
from support.overlapping import REVISION, TEXT, VAULT, WINDOWS, snapshot
from support.serving import MakeApp


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    assert folder.is_dir()
    return make_app()


@pytest.fixture
def view(app: App, tmp_path: Path) -> Iterator[View]:
    """Of a collection whose snapshot has the windows."""
    with app.collection().view(Call(), semantic=False) as view, snapshot(tmp_path) as windows:
        yield replace(view, index=replace(view.index, snapshot=windows))


@pytest.fixture
def docs(app: App) -> DocsToolset:
    return DocsToolset(app.parts)


@pytest.fixture
def citations(app: App) -> CitationsToolset:
    return CitationsToolset(app.parts)


def ref(locator: str) -> str:
    return f"keys.md@{REVISION}#{locator}"


def unmarked(ref: str) -> str:
    return ref.partition("~")[0]


def test_the_chunks_of_a_page_join_to_the_page(docs: DocsToolset, view: View) -> None:
    page = docs.get_page(Views([view]), Call(), "keys.md")
    assert "".join(chunk.content for chunk in page.chunks) == TEXT
    assert [unmarked(chunk.ref) for chunk in page.chunks] == [ref(window.locator) for window in WINDOWS]
    assert sum(chunk.char_count for chunk in page.chunks) == page.total_chars


def test_a_page_in_parts_is_the_whole_page(docs: DocsToolset, view: View) -> None:
    contents: list[str] = []
    cursor, answers = None, 0
    while answers == 0 or cursor:
        page = docs.get_page(Views([view]), Call(), "keys.md", max_tokens=500, cursor=cursor)
        contents += [chunk.content for chunk in page.chunks]
        cursor, answers = page.next_cursor, answers + 1
    assert "".join(contents) == TEXT and answers > 1


@pytest.mark.parametrize(
    ("heading", "start", "end"), [("Keys", 0, VAULT), ("Keys > Vault", VAULT, len(TEXT))], ids=["Keys", "Vault"]
)
def test_a_section_is_its_text_once(docs: DocsToolset, view: View, heading: str, start: int, end: int) -> None:
    section = docs.get_section(Views([view]), Call(), "keys.md", heading)
    assert section.content == TEXT[start:end]
    assert section.metadata.char_count == end - start


@pytest.mark.parametrize(
    ("locator", "context", "start", "end"),
    [
        ("h1", 0, 0, VAULT),
        ("h1-c2", 0, WINDOWS[1].start, VAULT),
        ("h1-c2:6-10", 0, WINDOWS[1].start + 6, WINDOWS[1].start + 10),
        ("h1-c2", 1, 0, VAULT + 24),
        ("h2-t1", 20, 0, len(TEXT)),
    ],
)
def test_a_citation_opens_to_its_text_once(
    citations: CitationsToolset, view: View, locator: str, context: int, start: int, end: int
) -> None:
    opened = citations.open_citation(view, Call(), ref(locator), context=context)
    assert opened.content == TEXT[start:end]


def test_a_box_that_two_chunks_have_is_shown_once(citations: CitationsToolset, view: View) -> None:
    def lines(locator: str) -> list[float]:
        return [box.y0 for box in citations.open_citation(view, Call(), ref(locator)).source.boxes]

    assert lines("h1") == [10, 20, 30]
    three, four = TEXT.index("three"), TEXT.index("four")
    assert lines(f"h1:{three}-{three + 5}") == [20]
    assert lines(f"h1:{four}-{four + 4}") == [30]
    assert lines("h1-c2:6-10") == [30]


@pytest.mark.parametrize(
    ("quote", "verdict", "at"),
    [
        ("two three", "exact", "h1-c1:12-21"),
        ("two three four", "exact", "h1:12-26"),
        ("three four five", "exact", "h1-c2:0-15"),
        ("four three", "normalised", "h1-c2:0-10"),
        ("Eleven", "absent", None),
    ],
)
def test_a_quote_is_found_where_it_is(
    citations: CitationsToolset, view: View, quote: str, verdict: str, at: str | None
) -> None:
    answer: Any = citations.verify_quote(view, Call(), ref("h1"), quote)
    assert (answer.verdict, answer.at and unmarked(answer.at)) == (verdict, at and ref(at))
    if at:
        assert citations.open_citation(view, Call(), answer.at).content == answer.content
