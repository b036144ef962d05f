"""HTML pages: main content, headings and anchors, code verbatim, lists, terms, tables, notes; hidden text apart."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.canonical import PageWriter, one_line
from pincite.formats.html import encoding, flow, head, nesting
from pincite.formats.html.walk import walk
from pincite.formats.text import failures
from pincite.model.call import Call
from pincite.model.document import AsideKind, Head, Page

_EMPTY_ELEMENT = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-zA-Z][\w:.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)/>"
)
_XHTML = re.compile(r"\s*<\?xml\b|[^>]{0,500}<!DOCTYPE[^>]{0,200}XHTML", re.IGNORECASE)


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: one page without a number."""
    markup, lost = encoding.decode(blob.data)
    call.check()
    if _XHTML.match(markup):
        # To an HTML parser `<script/>` is open: all that follows would be its text.
        markup = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", markup)
    markup, is_flattened = nesting.flattened(markup, call)
    page = LexborHTMLParser(markup)
    call.check()
    yield head.head(page)
    writer = PageWriter(options.max_blocks)
    if is_flattened:
        writer.limit("max_depth")
    for failure in failures(lost):
        writer.fail(failure.reason)
    _write(page, writer, call)
    yield writer.page()


def _write(page: LexborHTMLParser, writer: PageWriter, call: Call) -> None:
    root = page.body or page.css_first("frameset") or page.root
    if root is None:
        return
    content = walk(root, head.base(page), call)
    flow.write(content, writer, call)
    for text in dict.fromkeys(content.hidden):
        writer.aside(AsideKind.HIDDEN, text)
    frames = [frame.attributes for frame in page.css("frame[src]")]
    for frame in frames:
        target = frame.get("src") or ""
        writer.paragraph(f"[{one_line(frame.get('title') or frame.get('name') or target)}]({target})")
    if frames:
        writer.warn("The page is a set of frames: what it shows is in the files that it names.")
