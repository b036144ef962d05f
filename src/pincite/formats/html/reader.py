"""Reader for HTML pages: their main content, and hidden text as asides."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.html import encoding, flow, head, nesting, shadow_roots, structured_data
from pincite.formats.html.elements import prose_length
from pincite.formats.html.events import Break, Content
from pincite.formats.html.main_content import MIN_PROSE_CHARACTERS
from pincite.formats.html.visibility import Visibility
from pincite.formats.html.walk import walk
from pincite.formats.text import failures
from pincite.formats.writing.page_writer import Item, PageWriter, one_line
from pincite.model.call import Call
from pincite.model.document import SURROUNDINGS, AsideKind, Head, Page

_EMPTY_ELEMENT = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-zA-Z][\w:.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)/>"
)
_XHTML = re.compile(r"\s*<\?xml\b|[^>]{0,500}<!DOCTYPE[^>]{0,200}XHTML", re.IGNORECASE)


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: one page without a number."""
    writer = PageWriter(options.max_blocks)
    page_head, content = _parsed(_markup(blob.data, writer, call), call)
    yield page_head
    _write(content, writer, call)
    for text in content.surroundings:
        writer.aside(AsideKind.SURROUNDINGS, text, reason=SURROUNDINGS)
    if content.is_structured_data:
        writer.warn("A script writes this page's text; it was read from the page's structured data (JSON-LD).")
    if content.frames:
        writer.items(Item(frame) for frame in content.frames)
        writer.warn("The page is a set of frames: what it shows is in the files that it names.")
    yield writer.page()


def write_whole(data: bytes, writer: PageWriter, call: Call, *, is_contents: bool = False) -> None:
    """Write a page that is content throughout, as a chapter of a book is, or its table of contents.

    Raises:
        Unsupported: The bytes are not text.
    """
    markup = _markup(data, writer, call)
    page = LexborHTMLParser(markup)
    call.check()
    if page.body is not None:
        visibility = Visibility(page, markup, call)
        content = walk(page.body, head.base(page), visibility, call, is_whole=True, is_contents=is_contents)
        _write(content, writer, call)


def _markup(data: bytes, writer: PageWriter, call: Call) -> str:
    """Return the markup of a page as an HTML parser needs it, and report what was lost."""
    markup, lost = encoding.decode(data)
    call.check()
    if _XHTML.match(markup):
        # An HTML parser takes `<script/>` for an opening tag, and all text after it for the script.
        markup = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", markup)
    markup, is_flattened = nesting.flattened(shadow_roots.opened(markup), call)
    if is_flattened:
        writer.limit("max_depth")
    for failure in failures(lost):
        writer.fail(failure.reason)
    return markup


def _write(content: Content, writer: PageWriter, call: Call) -> None:
    flow.write(content, writer, call)
    for hidden in dict.fromkeys(content.hidden):
        writer.aside(AsideKind.HIDDEN, hidden.text, place=hidden.place, reason=hidden.reason)


def _parsed(markup: str, call: Call) -> tuple[Head, Content]:
    """Parse a page. Its tree, which takes twenty times the memory of the page, is freed when this returns."""
    page = LexborHTMLParser(markup)
    call.check()
    root = page.body or page.css_first("frameset")
    content = walk(root, head.base(page), Visibility(page, markup, call), call) if root else Content()
    if sum(map(prose_length, content.events)) < MIN_PROSE_CHARACTERS and (written := structured_data.markup(page)):
        _add_written(written, content, call)
    for frame in page.css("frame[src]"):
        attributes = frame.attributes
        target = attributes.get("src") or ""
        name = one_line(attributes.get("title") or attributes.get("name") or target)
        content.frames.append(f"[{name}]({target})")
    return head.head(page), content


def _add_written(markup: str, content: Content, call: Call) -> None:
    """Add the text that the page's script writes."""
    page = LexborHTMLParser(nesting.flattened(markup, call)[0])
    if page.body is not None:
        written = walk(page.body, "", Visibility(page, markup, call), call)
        content.events += [Break(), *written.events]
        content.hidden += written.hidden
        content.is_structured_data = True
