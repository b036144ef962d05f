"""Presentations: the eleven probes of the study, then what else a deck can hold."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import InvalidInput, ReadingFailed, Unsupported
from pincite.formats.base import ReadOptions
from pincite.model.document import Aside, AsideKind, PageFailure
from support.decks import (
    BLANK,
    TITLE_SLIDE,
    Deck,
    blocks,
    box,
    edited,
    frame,
    raw,
    read,
    texts,
    unguarded,
)

SLIDE_1 = "ppt/slides/slide1.xml"


def test_each_slide_is_a_section_with_its_title_and_its_number() -> None:
    deck = Deck()
    deck.slide("One")
    box(deck.slide(layout=BLANK), "no title, only a box")
    deck.slide(" Three \v lines")
    found = deck.read()
    assert [section.path for section in found.sections] == [("One",), ("Slide 2",), ("Three lines",)]
    assert {section.level for section in found.sections} == {2}
    assert [block.page for block in blocks(found)] == [1, 2, 2, 3]
    assert (found.coverage.pages, found.coverage.read) == (3, 3)


def test_a_hidden_slide_stands_apart_with_its_number() -> None:
    deck = Deck()
    deck.slide("Shown")
    hidden = deck.slide("Secret")
    box(hidden, "plan")
    hidden._element.set("show", "0")
    deck.slide("Shown too")
    found = deck.read()
    assert [section.path for section in found.sections] == [("Shown",), ("Shown too",)]
    assert found.asides == (Aside(AsideKind.HIDDEN, "## Secret\n\nplan", 2, reason="hidden slide"),)
    assert blocks(found)[-1].page == 3
    assert (found.coverage.pages, found.coverage.hidden_spans) == (3, 1)


def test_slides_are_numbered_as_the_presentation_orders_them() -> None:
    deck = Deck()
    for title in "ABC":
        deck.slide(title)
    ids: Any = deck.file.slides._sldIdLst  # pyright: ignore[reportPrivateUsage] - there is no public way
    ids.insert(0, ids[2])
    assert [(block.title, block.page) for block in blocks(deck.read())] == [("C", 1), ("A", 2), ("B", 3)]


def test_the_file_says_its_title_else_the_first_slide_does() -> None:
    deck = Deck()
    deck.slide("First", TITLE_SLIDE)
    deck.file.core_properties.title = "PowerPoint Presentation"
    deck.file.core_properties.author = "Ada"
    assert deck.read().title == "First"
    deck.file.core_properties.title = "Results"
    found = deck.read()
    assert (found.title, found.properties["author"]) == ("Results", "Ada")


@pytest.mark.parametrize("damage", [None, b"", b"<p:sld"], ids=["missing", "empty", "cut"])
def test_a_damaged_slide_costs_that_slide_alone(damage: bytes | None) -> None:
    deck = Deck()
    deck.slide("A")
    deck.slide("B")
    found = read(edited(deck.saved(), lambda name, data: damage if name == SLIDE_1 else data))
    assert (found.title, texts(found)) == (None, ["## B"]) or found.title == "PowerPoint Presentation"
    assert [failure.page for failure in found.coverage.failed] == [1]


@pytest.mark.parametrize(
    "part", ["notesSlides/notesSlide1.xml", "slideLayouts/slideLayout6.xml", "slideMasters/slideMaster1.xml"]
)
def test_what_stands_around_a_slide_costs_no_text_of_its_own(part: str) -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "kept")
    slide.notes_slide.notes_text_frame.text = "note"
    found = read(edited(deck.saved(), lambda name, data: b"<" if name.endswith(part) else data))
    assert texts(found)[:2] == ["## T", "kept"]
    assert found.coverage.complete == ("notes" not in part)


def test_a_deck_that_shows_nothing_says_so() -> None:
    deck = Deck()
    with pytest.raises(InvalidInput, match="no slides"):
        deck.read()
    deck.slide("T")._element.set("show", "0")
    with pytest.raises(InvalidInput, match="hidden or damaged"):
        deck.read()


def test_slides_after_the_limit_are_left_out_and_said() -> None:
    deck = Deck()
    for title in "ABC":
        deck.slide(title)
    found = read(deck.saved(), ReadOptions(max_pages=2))
    assert texts(found) == ["## A", "## B"]
    assert (found.coverage.pages, found.coverage.read, found.coverage.limits_hit) == (3, 2, ("max_pages",))


def test_a_file_of_another_kind_is_refused_in_words() -> None:
    with pytest.raises(Unsupported, match="not a zip"):
        unguarded(b"hello")
    with pytest.raises(InvalidInput, match="password"):
        unguarded(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(InvalidInput, match="damaged or truncated"):
        unguarded(Deck().saved()[:3000])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(Unsupported, match="not a presentation"):
        unguarded(buffer.getvalue())


def test_strict_files_read_like_transitional_ones() -> None:
    deck = Deck()
    box(deck.slide("T"), "strict")
    old, new = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"

    def strict(_: str, data: bytes) -> bytes:
        for kind in (b"presentationml", b"drawingml", b"officeDocument"):
            data = data.replace(old + kind + b"/2006/", new + kind + b"/")
        return data

    assert texts(read(edited(deck.saved(), strict))) == ["## T", "strict"]


def test_entities_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    deck = Deck()
    box(deck.slide("T"), "MARK")

    def attack(name: str, data: bytes) -> bytes:
        if name != SLIDE_1:
            return data
        head = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}"><!ENTITY f "inner">]>'.encode()
        return data.replace(b"?>", b"?>" + head, 1).replace(b"MARK", b"&e;&f;")

    attacked = edited(deck.saved(), attack)
    assert "SECRET" not in unguarded(attacked)
    with pytest.raises(ReadingFailed, match="document type"):
        read(attacked)


def test_a_failure_is_named_with_its_slide() -> None:
    deck = Deck()
    deck.slide("A")
    raw(deck.slide("B"), frame('<dgm:relIds r:dm="rId99"/>'))
    assert deck.read().coverage.failed == (PageFailure(2, "slide 2: The part of a relIds is missing."),)


@pytest.mark.data
def test_nothing_of_a_real_deck_is_lost(data: Path) -> None:
    found = read((data / "office" / "test.pptx").read_bytes())
    markers = [
        "2cdda5c8-e50e-4db4-b5f0-9722a649f455",
        "04191ea8-5c73-4215-a1d3-1cfb43aaaf12",
        "44bf7d06-5e7a-4a40-a2e1-a2e42ef28c8a",
    ]
    markers += [
        "1b92870d-e3b5-4e65-8153-919f4ff45592",
        "a3f6004b-6f4f-4ea8-bee3-3741f4dc385f",
        "a3f6004b-6f4f-4ea8-bee3-3741f4dc385f",
    ]
    assert [marker for marker in markers if marker not in found.text] == []
    assert (found.coverage.pages, len(found.sections), found.coverage.complete) == (6, 6, True)
    assert found.sections[4].path == ("A Nested Shape parsing",)
