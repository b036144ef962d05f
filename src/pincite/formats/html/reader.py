"""Reader for HTML pages: their main content, and hidden text as asides."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.html import encoding, flow, head, nesting
from pincite.formats.html.events import Content
from pincite.formats.html.visibility import Visibility
from pincite.formats.html.walk import walk
from pincite.formats.text import failures
from pincite.formats.writing.page_writer import PageWriter
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
    markup, is_flattened = nesting.flattened(markup, call)
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
    root = page.body
    visibility, is_documentation = Visibility(page, markup, call), head.is_documentation(markup)
    content = walk(root, head.base(page), visibility, call, is_documentation=is_documentation) if root else Content()
    return head.head(page), content
