"""Reader for Word documents, with all tracked changes accepted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.docx.appearance import Appearance, page_background
from pincite.formats.docx.compose import compose
from pincite.formats.docx.inline import LineReader
from pincite.formats.docx.names import VAL, w
from pincite.formats.docx.notes import NoteKey, Notes, comments
from pincite.formats.docx.numbering import Numbering
from pincite.formats.docx.pieces import Piece, Walker, cell_text
from pincite.formats.docx.styles import Styles
from pincite.formats.ooxml.package import Element, Package, Relation, name
from pincite.formats.ooxml.pictures import PictureParts
from pincite.formats.ooxml.properties import properties
from pincite.formats.ooxml.theme import Theme
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Head, Page
from pincite.text.lexical import LANGUAGE_TAG

_MAIN = "word/document.xml"
_NOTE_PARTS = {"footnote": "footnotes", "endnote": "endnotes"}
_MARGINS = ((w("headerReference"), AsideKind.HEADER), (w("footerReference"), AsideKind.FOOTER))


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: one page without a number, as the file does not contain page breaks of the layout."""
    call.check()
    package = Package(blob.data)
    writer = PageWriter(options.max_blocks)
    main = _main_part(package, writer)
    root = package.xml(main, writer.fail)
    if root.tag != w("document"):
        raise Unsupported(
            "The file is not a Word document, whatever its name says. Give it the extension of its format."
        )
    # The root was checked: without a body the file is damaged, not foreign.
    body = root.find(w("body"))
    if body is None:
        raise InvalidInput("The document has no body. Open it in a word processor and save it again.")
    document = _Document(package, main, root, writer, PictureParts(package, options), call)
    yield _head(package, document.styles)
    document.write(body)
    yield writer.page()


def _main_part(package: Package, writer: PageWriter) -> str:
    try:
        return package.related("", "officeDocument") or _MAIN
    except InvalidInput as error:
        writer.fail(error.message)
        return _MAIN


def _head(package: Package, styles: Styles) -> Head:
    metadata = properties(package)
    declared = (metadata.get("language"), styles.language)
    language = next((tag.replace("_", "-") for tag in declared if tag and LANGUAGE_TAG.fullmatch(tag)), None)
    return Head(title=metadata.get("title"), properties=metadata, language=language)


@dataclass(slots=True)
class _Part:
    """A part other than the body, with its relations."""

    root: Element
    relations: dict[str, Relation]


class _Document:
    """Writes a document. A damaged part is reported and left out."""

    def __init__(
        self, package: Package, main: str, root: Element, writer: PageWriter, pictures: PictureParts, call: Call
    ) -> None:
        self._package = package
        self._pictures = pictures
        self._writer = writer
        self._call = call
        self._relations = self._relations_of(main)
        styles, numbering, theme = self._related("styles"), self._related("numbering"), self._related("theme")
        self.styles = Styles(styles.root if styles else None)
        colours = Theme.of(theme.root if theme else None)
        self._appearance = Appearance(self.styles, colours, page_background(root, colours))
        self._numbering_root = numbering.root if numbering else None
        self._numbering = Numbering(self._numbering_root, self.styles)
        self._notes = Notes()
        self._note_parts = {kind: self._related(part) for kind, part in _NOTE_PARTS.items()}
        for kind, part in self._note_parts.items():
            self._notes.add(kind, part.root if part else None)
        if styles is None:
            writer.warn("The file has no styles: headings and lists that depend on styles appear as paragraphs.")

    def write(self, body: Element) -> None:
        """Write the visible text, then headers, footers and comments as asides."""
        walker = self._walker(self._relations, self._numbering, marks=True)
        endnotes: list[NoteKey] = []

        def end_section(keys: Iterable[NoteKey]) -> None:
            keys = list(dict.fromkeys(keys))
            endnotes.extend(key for key in keys if key[0] == "endnote")
            self._write_notes(key for key in keys if key[0] == "footnote")

        # Footnotes follow their section, endnotes the whole text.
        compose(walker.walk(body), self._writer, end_section, partial(self._pictures.write, self._writer))
        self._write_notes(dict.fromkeys(endnotes))
        self._warn_of_lost_numbers(body)
        self._write_margins(body)
        comments_part = self._related("comments")
        for author, element in comments(comments_part.root if comments_part else None):
            text = self._text(element, comments_part.relations if comments_part else {})
            self._writer.aside(AsideKind.COMMENT, f"{author}: {text}" if author and text else text)

    def _write_notes(self, keys: Iterable[NoteKey]) -> None:
        for key in keys:
            part = self._note_parts[key[0]]
            text = self._text(self._notes.element(key), part.relations if part else {})
            self._writer.footnote(self._notes.label(key), text)

    def _write_margins(self, body: Element) -> None:
        """Write headers and footers, each text once."""
        written: set[tuple[AsideKind, str]] = set()
        for tag, kind in _MARGINS:
            targets = dict.fromkeys(reference.get(name("r:id")) or "" for reference in body.iter(tag))
            for part in (self._part(self._relations.get(identity)) for identity in targets):
                text = self._text(part.root, part.relations) if part else ""
                if text and (kind, text) not in written:
                    written.add((kind, text))
                    self._writer.aside(kind, text)

    def _text(self, element: Element, relations: dict[str, Relation]) -> str:
        """Return a separate story as plain lines."""
        # Lists in notes and headers count on their own, apart from the body's.
        walker = self._walker(relations, Numbering(self._numbering_root, self.styles), marks=False)
        pieces: list[Piece] = list(walker.walk(element))
        return cell_text(pieces).strip()

    def _walker(self, relations: dict[str, Relation], numbering: Numbering, *, marks: bool) -> Walker:
        def hide(text: str, place: str, reason: str) -> None:
            self._writer.aside(AsideKind.HIDDEN, text, place=place, reason=reason)

        mark = self._notes.mark if marks else _no_mark
        lines = LineReader(self._appearance, relations, mark, self._writer.limit)
        return Walker(
            self._package, self.styles, numbering, lines, hide, self._writer.fail, self._writer.limit, self._call
        )

    def _warn_of_lost_numbers(self, body: Element) -> None:
        if self._numbering_root is None and any(
            element.get(VAL) not in (None, "0") for element in body.iter(w("numId"))
        ):
            self._writer.warn("The file has no numbering: labels of lists and numbers of headings are missing.")

    def _related(self, kind: str) -> _Part | None:
        return self._part(next((relation for relation in self._relations.values() if relation.kind == kind), None))

    def _part(self, relation: Relation | None) -> _Part | None:
        if relation is None or relation.external:
            return None
        try:
            root = self._package.xml(relation.target)
        except InvalidInput as error:
            self._writer.fail(error.message)
            return None
        return _Part(root, self._relations_of(relation.target))

    def _relations_of(self, part: str) -> dict[str, Relation]:
        try:
            return self._package.relations(part)
        except InvalidInput as error:
            self._writer.fail(error.message)
            return {}


def _no_mark(_kind: str, _identity: str) -> str:
    return ""
