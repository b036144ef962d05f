import io
import re
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx.util import Inches

from pincite.errors import InvalidInput, Unsupported
from support.decks import BLANK, TITLE_AND_CONTENT, TITLE_ONLY, Deck, bar_chart, box, edited, read, smart_art, texts

words = st.text(st.sampled_from("abcxyz äß日本 .,:;()[]#*_`<>&\"'"), min_size=1, max_size=12)
shapes = st.one_of(
    st.tuples(st.just("box"), words, st.integers(0, 9), st.integers(0, 6)),
    st.tuples(st.just("table"), words, st.integers(1, 3), st.integers(1, 3)),
    st.tuples(st.just("group"), words, st.integers(0, 9), st.integers(0, 6)),
)
slides = st.tuples(st.none() | words, st.lists(shapes, max_size=4), st.none() | words)


def _deck(
    content: list[tuple[str | None, list[tuple[str, str, int, int]], str | None]],
) -> tuple[bytes, list[list[str]]]:
    """A deck, and the texts of each of its slides; every text has a number that no other has."""
    deck = Deck()
    expected: list[list[str]] = []
    count = 0

    def numbered(text: str) -> str:
        nonlocal count
        count += 1
        expected[-1].append(f"{text.strip()}{count}.")
        return expected[-1][-1]

    for title, parts, note in content:
        expected.append([])
        slide = deck.slide(layout=BLANK if title is None else TITLE_ONLY)
        if title is not None:
            slide.shapes.title.text_frame.text = numbered(title)
        for kind, text, x, y in parts:
            if kind == "table":
                table = slide.shapes.add_table(x, y, Inches(1), Inches(2), Inches(4), Inches(1)).table
                for row in range(x):
                    for column in range(y):
                        table.cell(row, column).text = numbered(text)
            else:
                holder = slide if kind == "box" else type("_", (), {"shapes": slide.shapes.add_group_shape().shapes})
                box(holder, numbered(text), x, y)
        if note is not None:
            slide.notes_slide.notes_text_frame.text = numbered(note)
    return deck.saved(), expected


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\\|", "|"))


@settings(max_examples=40)
@given(st.lists(slides, min_size=1, max_size=4))
def test_every_text_of_a_deck_is_in_its_own_slide(
    content: list[tuple[str | None, list[tuple[str, str, int, int]], str | None]],
) -> None:
    data, expected = _deck(content)
    found = read(data)
    assert len(found.sections) == len(content)
    for section, wanted in zip(found.sections, expected, strict=True):
        shown = _plain(found.text[section.start : section.end])
        assert [text for text in wanted if _plain(text) not in shown] == []


def _rich() -> bytes:
    deck = Deck()
    slide = deck.slide("Title", TITLE_AND_CONTENT)
    slide.placeholders[1].text_frame.text = "body"
    slide.notes_slide.notes_text_frame.text = "note"
    bar_chart(slide, ["a", "b"], {"s": [1, 2]})
    smart_art(deck, slide, [("1", "0", "Plan"), ("2", "1", "Ask")])
    slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table.cell(0, 0).text = "cell"
    box(deck.slide("More"), "text")
    return deck.saved()


RICH = _rich()
READ = ("slides/", "charts/chart", "diagrams/", "notesSlides/", "presentation.xml", "slideLayout2.", "slideMaster1.")
with zipfile.ZipFile(io.BytesIO(RICH)) as _archive:
    PARTS = sorted(name for name in _archive.namelist() if any(part in name for part in READ))
TOKENS = re.compile(rb'<[^>]*>|"[^"]*"')
edits = st.tuples(
    st.sampled_from(PARTS), st.integers(0), st.sampled_from(["cut", "drop", "double", "number", "swap"]), st.integers(0)
)


@settings(max_examples=80)
@given(st.lists(edits, min_size=1, max_size=4))
def test_an_edited_deck_is_read_or_refused(made: list[tuple[str, int, str, int]]) -> None:
    def change(name: str, data: bytes) -> bytes:
        for part, at, how, other in made:
            if part == name:
                data = _changed(data, at, how, other)
        return data

    data = edited(RICH, change)
    with suppress(InvalidInput, Unsupported):
        found = read(data)
        assert "".join(found.text[section.start : section.end] for section in found.sections) == found.text
        assert all(text.strip() for text in texts(found))


def _changed(data: bytes, at: int, how: str, other: int) -> bytes:
    tokens = list(TOKENS.finditer(data))
    if not tokens:
        return data
    one, two = tokens[at % len(tokens)], tokens[other % len(tokens)]
    if how == "cut":
        return data[: one.start()]
    made = {"drop": b"", "double": one[0] * 2, "number": b'"-99999999999999999999"', "swap": two[0]}[how]
    return data[: one.start()] + made + data[one.end() :]


@pytest.mark.parametrize("end", [0, 1, 3, 100, 1000, 0.5, -1])
def test_a_deck_that_is_cut_is_refused(end: float) -> None:
    size = int(end * len(RICH)) if isinstance(end, float) else end
    with pytest.raises((InvalidInput, Unsupported)):
        read(RICH[:size])
