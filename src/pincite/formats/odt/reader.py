"""Reader for OpenDocument texts, with all tracked changes accepted, and presentations."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.docx.compose import compose
from pincite.formats.docx.notes import NoteKey
from pincite.formats.docx.pieces import cell_text
from pincite.formats.html.mathml import formula
from pincite.formats.odt.inline import LineReader
from pincite.formats.odt.lists import Lists
from pincite.formats.odt.names import prefixed, q, value
from pincite.formats.odt.properties import properties
from pincite.formats.odt.styles import Styles
from pincite.formats.odt.walker import Walker
from pincite.formats.ooxml.package import Element, Package, local_name
from pincite.formats.ooxml.pictures import PictureParts
from pincite.formats.writing.page_writer import PageWriter, hidden_page, one_line
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Head, Page
from pincite.text.lexical import LANGUAGE_TAG

_CONTENT, _STYLES, _MANIFEST = "content.xml", "styles.xml", "META-INF/manifest.xml"
_MARGINS = (("style:header", AsideKind.HEADER), ("style:footer", AsideKind.FOOTER))
_PREFIX = re.compile(r"(</?)[\w.-]+:")
_SLIDE_LEVEL = 2
"""Level of a slide's heading, as in PPTX."""
_NO_TEXT_DOCUMENT = (
    "The file is no OpenDocument text or presentation, whatever its name says. Give it the extension of its format."
)


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: a page for each slide; of a text one without a number, as the file has no page breaks."""
    call.check()
    if not blob.data.startswith(b"PK"):
        raise Unsupported(_NO_TEXT_DOCUMENT)
    package = Package(blob.data)
    _refuse_encrypted(package)
    damage: list[str] = []
    content = package.xml(_CONTENT, damage.append)
    body = content.find(f"{q('office:body')}/{q('office:text')}")
    deck = content.find(f"{q('office:body')}/{q('office:presentation')}")
    if body is None and deck is None:
        raise Unsupported(_NO_TEXT_DOCUMENT)
    metadata = properties(package)
    language = metadata.get("language", "").replace("_", "-")
    tag = language if LANGUAGE_TAG.fullmatch(language) else None
    yield Head(title=metadata.get("title"), properties=metadata, language=tag)
    writer = PageWriter(options.max_blocks, None if deck is None else 1)
    for reason in damage:
        writer.fail(reason)
    document = _Document(package, content, writer, PictureParts(package, options), call)
    if body is not None:
        document.write(body)
        yield writer.page()
    elif deck is not None:
        yield from document.slides(deck, options.max_blocks)


def _refuse_encrypted(package: Package) -> None:
    manifest = package.xml(_MANIFEST) if _MANIFEST in package else None
    if manifest is not None and any(local_name(element) == "encryption-data" for element in manifest.iter()):
        raise InvalidInput("The file is protected by a password. Save a copy without one.")


class _Document:
    """Writes a text, or slides. A damaged part is reported and left out."""

    def __init__(
        self, package: Package, content: Element, writer: PageWriter, pictures: PictureParts, call: Call
    ) -> None:
        self._package = package
        self._writer = writer
        self._pictures = pictures
        self._call = call
        self._notes: dict[NoteKey, tuple[str, Element]] = {}
        self._labels: set[str] = set()
        self._comments: list[Element] = []
        self._styles_root = self._part(_STYLES)
        self._roots = [root for root in (self._styles_root, content) if root is not None]
        self._styles = Styles(self._roots)

    def write(self, body: Element) -> None:
        """Write the visible text, then headers, footers and comments as asides."""
        endnotes: list[NoteKey] = []

        def end_section(keys: Iterable[NoteKey]) -> None:
            keys = list(dict.fromkeys(keys))
            endnotes.extend(key for key in keys if key[0] == "endnote")
            self._write_notes([key for key in keys if key[0] != "endnote"])

        # Footnotes follow their section, endnotes the whole text.
        pieces = self._walker(self._mark).walk(body)
        compose(pieces, self._writer, end_section, partial(self._pictures.write, self._writer))
        self._write_notes(endnotes)
        self._write_margins()
        for comment in self._comments:
            author = "".join(part.text or "" for part in comment.findall(q("dc:creator"))).strip()
            text = self._text(comment)
            self._writer.aside(AsideKind.COMMENT, f"{author}: {text}" if author and text else text)

    def slides(self, deck: Element, max_blocks: int) -> Iterator[Page]:
        """Yield a page for each slide; a hidden one is an aside. The first has what was reported until now."""
        slides = deck.findall(q("draw:page"))
        if not slides:
            self._writer.fail("it has no slides")
            yield self._writer.page()
        for number, slide in enumerate(slides, 1):
            self._writer = PageWriter(max_blocks, number) if number > 1 else self._writer
            self._comments.clear()
            self._write_slide(slide, number)
            page = self._writer.page()
            is_hidden = self._styles.is_hidden_slide(value(slide, "draw:style-name"))
            yield hidden_page(page, "hidden slide") if is_hidden else page

    def _write_slide(self, slide: Element, number: int) -> None:
        """Write a slide: its title as a heading, its other text, its notes as a quotation."""
        classes = [(value(shape, "presentation:class"), shape) for shape in slide]
        title = next((shape for of, shape in classes if of == "title"), None)
        text = one_line(self._text(title)) if title is not None else ""
        if title is not None and text:
            slide.remove(title)
        self._writer.heading(_SLIDE_LEVEL, text or f"Slide {number}")
        self.write(slide)
        notes = [shape for shape in slide.iter(q("draw:frame")) if value(shape, "presentation:class") == "notes"]
        self._writer.block(BlockKind.QUOTE, "\n".join(filter(None, map(self._text, notes))))

    def _write_notes(self, keys: Sequence[NoteKey]) -> None:
        for key in keys:
            label, body = self._notes[key]
            self._writer.footnote(label, self._text(body))

    def _write_margins(self) -> None:
        """Write headers and footers, each text once."""
        written: dict[tuple[AsideKind, str], None] = {}
        for tag, kind in _MARGINS:
            for element in self._styles_root.iter() if self._styles_root is not None else ():
                # Also headers and footers of first and left pages: `style:header-left`.
                if prefixed(element).startswith(tag) and not prefixed(element).endswith(("style", "properties")):
                    written[kind, self._text(element)] = None
        for kind, text in written:
            self._writer.aside(kind, text)

    def _text(self, element: Element) -> str:
        """Return a separate story as plain lines."""
        return cell_text(list(self._walker(_no_mark).walk(element))).strip()

    def _walker(self, mark: Callable[[Element], tuple[str, NoteKey]]) -> Walker:
        def hide(text: str, place: str, reason: str) -> None:
            self._writer.aside(AsideKind.HIDDEN, text, place=place, reason=reason)

        lines = LineReader(self._styles, mark, self._comments.append, self._formula, self._writer.limit)
        lists = Lists(self._roots)
        return Walker(self._styles, lists, lines, self._chart, hide, self._writer.limit, self._call)

    def _mark(self, note: Element) -> tuple[str, NoteKey]:
        """Return the mark and the key of a note; a label that two notes have gets a number."""
        body, citation = note.find(q("text:note-body")), note.find(q("text:note-citation"))
        label = "".join(citation.itertext()).strip() if citation is not None else ""
        count = len(self._notes) + 1
        while not label or label in self._labels:
            label, count = str(count), count + 1
        self._labels.add(label)
        key = value(note, "text:note-class") or "footnote", label
        self._notes[key] = label, note if body is None else body
        return f"[^{label}]", key

    def _formula(self, frame: Element) -> str:
        """Return the formula in a frame as a person would type it; empty if it holds none."""
        root = self._object(frame)
        if root is None or local_name(root) != "math":
            return ""
        markup = _PREFIX.sub(r"\1", etree.tostring(root).decode("ascii"))
        math = LexborHTMLParser(markup).css_first("math")
        return formula(math) if math is not None else ""

    def _chart(self, frame: Element) -> Element | None:
        root = self._object(frame)
        return next(root.iter(q("table:table")), None) if root is not None else None

    def _object(self, frame: Element) -> Element | None:
        """Return the root of the object in a frame, which may be a part of its own; None if there is none."""
        element = frame.find(q("draw:object"))
        if element is None:
            return None
        if len(element):
            return next(iter(element))
        folder = value(element, "xlink:href").removeprefix("./").rstrip("/")
        part = f"{folder}/{_CONTENT}"
        return self._part(part) if folder and part in self._package else None

    def _part(self, part: str) -> Element | None:
        if part not in self._package:
            return None
        try:
            return self._package.xml(part)
        except InvalidInput as error:
            self._writer.fail(error.message)
            return None


def _no_mark(_note: Element) -> tuple[str, NoteKey]:
    return "", ("", "")
