"""Build a document from a reader's pages. No other code makes sections and numbers them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pincite.errors import InternalError
from pincite.model.document import (
    Aside,
    AsideKind,
    Block,
    BlockKind,
    Coverage,
    Document,
    Head,
    Page,
    PageFailure,
    RecognisedSpan,
    Section,
)
from pincite.text import invisible


def build(name: str, fingerprint: str, media_type: str, stream: Iterable[Head | Page]) -> Document:
    """Return the document that a reader's head and pages make up.

    A document of white space alone has no text and no sections.

    Args:
        name: The document's name in its collection.
        fingerprint: SHA-256 of its bytes, in hex.
        media_type: The canonical media type of its format.
        stream: A reader's output: one `Head`, then pages in order.

    Raises:
        InternalError: The stream has no head, two heads or no page.
    """
    items = iter(stream)
    head = next(items, None)
    if not isinstance(head, Head):
        raise InternalError("A reader must begin with a Head.")
    joined = _join(items)
    text = "".join(joined.texts)
    sections = tuple(_sections(text, joined.blocks)) if text.strip() else ()
    coverage = _coverage(head, joined)
    recognised = coverage.recognised()
    return Document(
        name=name,
        # White space alone is no text: the document counts as empty.
        text=text if sections else "",
        sections=sections,
        title=_title(head, sections, joined.needs_ocr),
        fingerprint=fingerprint,
        media_type=media_type,
        properties=head.properties,
        language=head.language,
        coverage=coverage,
        asides=tuple(joined.asides),
        warnings=tuple(dict.fromkeys([*joined.warnings, *([recognised] if recognised else [])])),
    )


@dataclass(slots=True)
class _Joined:
    """The parts of the joined pages, with spans counted in the whole text."""

    texts: list[str] = field(default_factory=list[str])
    blocks: list[Block] = field(default_factory=list[Block])
    failures: list[PageFailure] = field(default_factory=list[PageFailure])
    asides: list[Aside] = field(default_factory=list[Aside])
    warnings: list[str] = field(default_factory=list[str])
    limits_hit: list[str] = field(default_factory=list[str])
    pages: int = 0
    read: int = 0
    ocr: list[int | None] = field(default_factory=list[int | None])
    needs_ocr: list[int | None] = field(default_factory=list[int | None])
    pages_with_spans: int = 0
    ocr_spans: list[RecognisedSpan] = field(default_factory=list[RecognisedSpan])
    unread_pictures: dict[str, None] = field(default_factory=dict[str, None])


def _join(items: Iterator[Head | Page]) -> _Joined:
    joined = _Joined()
    length = 0
    last = "\n"
    for page in items:
        if not isinstance(page, Page):
            raise InternalError("A reader must give its Head once.")
        # Pages end with a line end, so that no line runs over a page break.
        if last not in "\r\n":
            joined.texts.append(last := "\n")
            length += 1
        joined.texts.append(page.text)
        joined.blocks.extend(_in_document(page, length))
        joined.failures.extend(page.failures)
        joined.asides.extend(replace(aside, page=aside.page or page.number) for aside in page.asides)
        joined.warnings.extend(page.warnings)
        joined.limits_hit.extend(page.limits_hit)
        if page.ocr:
            joined.ocr.append(page.number)
        joined.pages_with_spans += bool(page.ocr_spans and not page.ocr)
        joined.ocr_spans += (replace(span, start=span.start + length, end=span.end + length) for span in page.ocr_spans)
        joined.unread_pictures |= dict.fromkeys(page.unread_pictures)
        if page.needs_ocr:
            joined.needs_ocr.append(page.number)
        if page.number is not None:
            joined.pages += 1
            joined.read += not page.failures
        length += len(page.text)
        last = page.text[-1:] or last
    if not joined.texts:
        raise InternalError("A reader must give at least one Page.")
    return joined


def _in_document(page: Page, offset: int) -> Iterable[Block]:
    """Return a page's blocks with spans counted in the document."""
    # Text formats have one page without a number: their blocks need no copy.
    if offset == 0 and page.number is None:
        return page.blocks
    # Not with `replace`, which takes three times as long, as in `PageWriter`.
    return [
        Block(
            block.kind,
            block.start + offset,
            block.end + offset,
            block.level,
            block.title,
            block.language,
            block.anchors,
            block.table,
            block.page or page.number,
            block.boxes,
            block.box_starts,
            block.role,
        )
        for block in page.blocks
    ]


def _coverage(head: Head, joined: _Joined) -> Coverage:
    pages = head.pages if head.pages is not None else joined.pages or None
    return Coverage(
        pages=pages,
        read=None if pages is None else joined.read,
        failed=tuple(joined.failures),
        hidden_spans=sum(aside.kind is AsideKind.HIDDEN for aside in joined.asides),
        limits_hit=tuple(dict.fromkeys(joined.limits_hit)),
        ocr=len(joined.ocr) + joined.pages_with_spans,
        ocr_pages=tuple(number for number in joined.ocr if number is not None),
        needs_ocr=len(joined.needs_ocr),
        ocr_spans=tuple(joined.ocr_spans),
        unread_pictures=len(joined.unread_pictures),
    )


def _sections(text: str, blocks: list[Block]) -> Iterator[Section]:
    """Cut before every heading; text before the first one is section 0, unless it is blank or front matter."""
    cuts = [index for index, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    first = blocks[cuts[0]].start if cuts else len(text)
    begin = blocks[0].end if cuts and blocks[0].kind is BlockKind.FRONT_MATTER else 0
    preface = bool(text[begin:first].strip())
    if preface:
        yield Section(0, 0, (), 0, first, tuple(blocks[: cuts[0] if cuts else None]))
    above: list[tuple[int, str]] = []
    for number, (cut, following) in enumerate(pairwise([*cuts, len(blocks)]), 1):
        heading = blocks[cut]
        # A heading ends the sections of its own level and of deeper ones.
        while above and above[-1][0] >= heading.level:
            above.pop()
        above.append((heading.level, heading.title))
        is_first = number == 1 and not preface
        before = blocks[:1] if is_first and begin else ()
        yield Section(
            number=number,
            level=heading.level,
            path=tuple(title for _, title in above),
            # Sections cover the whole text: front matter and a blank beginning belong to the first of them.
            start=0 if is_first else heading.start,
            end=blocks[following].start if following < len(blocks) else len(text),
            blocks=(*before, *blocks[cut:following]),
        )


def _title(head: Head, sections: Iterable[Section], doubtful_pages: Collection[int | None]) -> str | None:
    """Return the title of the head, else the first heading of level 1 that can be read.

    Args:
        head: The document's head.
        sections: Its sections.
        doubtful_pages: Pages that need recognition: what their fonts say may be no letters.
    """
    if title := invisible.without_hidden(head.title or ""):
        return title
    headings = (part for part in sections if part.level == 1 and part.path[-1] and not _is_attached(part))
    readable = (section for section in headings if section.blocks[0].page not in doubtful_pages)
    return next((section.path[-1] for section in readable), None)


def _is_attached(section: Section) -> bool:
    return any(block.table is not None and block.table.attachment for block in section.blocks)
