"""A PowerPoint 97 presentation as the parts of a newer one, which the reader of presentations reads."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from pincite.formats.ppt.media import Media
from pincite.formats.ppt.records import Deck, Kind, Record
from pincite.formats.ppt.slides import NAMESPACES, notes_markup, slide_markup
from pincite.formats.ppt.text import Text, texts
from pincite.model.call import Call
from pincite.text.xml_text import escaped

_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SLIDES, _NOTES = 0, 2
"""Which list of a document a list is."""


@dataclass(slots=True)
class _Entry:
    """A slide in the document's list.

    Attributes:
        identity: Identity of its record.
        slide: The number that its notes refer to.
        texts: Its texts in the list.
    """

    identity: int
    slide: int
    texts: list[Text] = field(default_factory=list[Text])


def translate(deck: Deck, media: Media, title: str, max_slides: int, call: Call) -> tuple[bytes, list[int]]:
    """Return a presentation as a package of Office Open XML, and the numbers of slides that are missing in it.

    Args:
        deck: The presentation.
        media: Its pictures; receives the bytes of those that slides show.
        title: The title in its properties.
        max_slides: Maximum number of slides that are translated; further ones are empty.
        call: Checked for cancellation at every slide.
    """
    entries = list(_entries(deck.document, _SLIDES))
    notes = {_slide_of(record): record for record in _pages_of_notes(deck)}
    missing: list[int] = []
    main = [("r1", "officeDocument", "ppt/presentation.xml"), ("r2", "core-properties", "core.xml")]
    parts = {
        "_rels/.rels": _relations(main),
        "core.xml": f"<coreProperties><title>{escaped(title)}</title></coreProperties>",
    }
    for number, entry in enumerate(entries, 1):
        call.check()
        record = deck.record(entry.identity) if number <= max_slides else None
        if record is None or record.kind != Kind.SLIDE:
            if number <= max_slides and not entry.texts and deck.offsets:
                missing.append(number)
            record = Record(Kind.SLIDE, 0, b"", is_container=True)
        shown: dict[str, None] = {}

        def picture(index: int, shown: dict[str, None] = shown) -> str:
            name = media.name(index)
            shown |= {name: None} if name else {}
            return name

        parts[f"ppt/slides/slide{number}.xml"] = slide_markup(record, entry.texts, picture)
        parts |= _related_parts(number, record, notes.get(entry.slide), list(shown))
    ids = "".join(f'<p:sldId id="{255 + number}" r:id="r{number}"/>' for number in range(1, len(entries) + 1))
    parts["ppt/presentation.xml"] = f"<p:presentation {NAMESPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    slides = [(f"r{number}", "slide", f"slides/slide{number}.xml") for number in range(1, len(entries) + 1)]
    parts["ppt/_rels/presentation.xml.rels"] = _relations(slides)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content.encode("utf-8", "replace"))
        for name, data in media.pictures.parts.items():
            archive.writestr(f"ppt/media/{name}", data)
    return buffer.getvalue(), missing


def _entries(document: Record, which: int) -> Iterator[_Entry]:
    """Yield the slides of a list, each with its texts."""
    for record in document.children():
        if record.kind != Kind.LIST or record.instance != which:
            continue
        number = 0
        numbered: list[tuple[int, Record]] = []
        for child in record.children():
            number += child.kind == Kind.SLIDE_REFERENCE
            numbered.append((number, child))
        for _, group in groupby(numbered, key=lambda pair: pair[0]):
            first, *rest = [child for _, child in group]
            if first.kind == Kind.SLIDE_REFERENCE:
                identity, slide = (int.from_bytes(first.data[at : at + 4], "little") for at in (0, 12))
                yield _Entry(identity, slide, list(texts(rest)))


def _pages_of_notes(deck: Deck) -> Iterator[Record]:
    for entry in _entries(deck.document, _NOTES):
        record = deck.record(entry.identity)
        if record is not None and record.kind == Kind.NOTES:
            yield record


def _slide_of(notes: Record) -> int:
    """The number of the slide that notes are of: the first of their atom."""
    atom = next(notes.children(), None)
    return int.from_bytes(atom.data[:4], "little") if atom else 0


def _related_parts(number: int, slide: Record, notes: Record | None, pictures: list[str]) -> dict[str, str]:
    """Return the parts with notes and comments of a slide, and its relations."""
    parts: dict[str, str] = {}
    related = [(name, "image", f"../media/{name}") for name in pictures]
    if notes is not None:
        parts[f"ppt/notes/notes{number}.xml"] = notes_markup(notes)
        related.append(("r1", "notesSlide", f"../notes/notes{number}.xml"))
    comments = "".join(f"<p:cm><p:text>{escaped(comment)}</p:text></p:cm>" for comment in _comments(slide))
    if comments:
        parts[f"ppt/comments/comment{number}.xml"] = f"<p:cmLst {NAMESPACES}>{comments}</p:cmLst>"
        related.append(("r2", "comments", f"../comments/comment{number}.xml"))
    if related:
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations(related)
    return parts


def _comments(slide: Record) -> Iterator[str]:
    for comment in slide.all(Kind.COMMENT):
        strings = {child.instance: child.data.decode("utf-16-le", "replace") for child in comment.children()}
        author, text = strings.get(0, ""), strings.get(1, "")
        if text.strip():
            yield f"{author}: {text}" if author.strip() else text


def _relations(related: list[tuple[str, str, str]]) -> str:
    elements = "".join(
        f'<Relationship Id="{identity}" Type="{_KINDS}/{kind}" Target="{target}"/>'
        for identity, kind, target in related
    )
    return f"<Relationships {_RELATIONS}>{elements}</Relationships>"
