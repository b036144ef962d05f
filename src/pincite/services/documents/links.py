"""The links of a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from pincite.model.document import Aside, AsideKind, BlockKind, Document
from pincite.services.documents.locations import Locations, blocks
from pincite.sources.url.locations import MAX_URL_CHARS

CONTEXT_CHARS = 100
"""Characters shown on each side of a link; by contract 4, Readers."""

WRITTEN, TARGET, WITHOUT_SCHEME, DOUBTFUL = 0.95, 1.0, 0.8, 0.5
"""Confidence: of an address in the text, of a link's target, of `www.` without scheme, of a host without a dot."""

_URL = re.compile(
    r"(?:https?://|(?<![\w./@-])www\.)(?:(?!\]\()[^\s<>\"`\\^{}|\x00-\x1f\x7f]){2,}"
    r"|(?<=\]\()(?![a-z][\w+.-]*:|#)(?P<relative>(?=[^()\s<>]*[/.?])(?:[^()\s<>]|\([^()\s<>]*\))+)",
    re.IGNORECASE,
)
"""An address up to the end of a Markdown link's text, which may be one itself; or the target of a relative link."""
_CLOSING = {")": "(", "]": "[", "}": "{"}
_TRAILING = ".,;:!?'*_~\u2019\u201d\u00bb\u3002\uff0c"
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|ico|avif)\Z", re.IGNORECASE)
_API_PART = re.compile(r"(?:\A|/)(?:api|apis|rest|graphql|rpc|v\d{1,2})(?:/|\Z)", re.IGNORECASE)
_API_HOST = re.compile(r"(?:\A|\.)api[\w-]*\.", re.IGNORECASE)
_NAVIGATION = re.compile(
    r"(?:\A|/)(?:index|home|default|about|contact|login|signin|signup|register|search|sitemap|menu|help|faq|privacy"
    r"|terms|imprint)(?:\.\w{2,5})?/?\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link.

    Attributes:
        url: As it is written; a relative one in full.
        context: The text around it, `CONTEXT_CHARS` on each side.
        source_location: Where it is first: `page 3`, a sheet's name, a heading or `line 7`.
        confidence: That it is a link, 0..1.
        url_type: `api_endpoint`, `navigation`, `image` or `general`.
    """

    url: str
    context: str
    source_location: str
    confidence: float
    url_type: str


def links(document: Document, base: str = "") -> Iterator[Link]:
    """Yield each address that a document's text has, where it is first, and those that only its links have.

    Args:
        document: The document, laid out.
        base: The address that its relative links count from; without one they are left out.
    """
    text, locations = document.text, Locations(document) if document.sections else None
    code = [(block.start, block.end) for block in blocks(document) if block.kind is BlockKind.CODE]
    known: set[str] = set()
    for match in _URL.finditer(text):
        start, relative = match.start(), match["relative"]
        if relative and (not base or _is_in_code(text, start, code)):
            continue
        written = relative or _trimmed(match[0])
        url = _joined(base, written) if relative else written
        host = _host(url)
        if not host or url in known or len(url) > MAX_URL_CHARS or locations is None:
            continue
        known.add(url)
        is_target = text[max(0, start - 2) : start] == "]("
        yield Link(
            url=url,
            context=_context(text, start, len(written)),
            source_location=locations.location_at(start),
            confidence=_confidence(url, host, is_target=is_target),
            url_type=url_type(url),
        )

    for aside in document.asides:
        url, host = aside.text, _host(aside.text)
        if aside.kind is AsideKind.LINK and host and url not in known and len(url) <= MAX_URL_CHARS:
            known.add(url)
            where = f"page {aside.page}" if aside.page else ""
            confidence = _confidence(url, host, is_target=True)
            yield Link(url, _around(document, aside), where, confidence, url_type(url))


def _around(document: Document, link: Aside) -> str:
    """Return the text around the words of a link on its page; these words if they are not found."""
    own = [block for block in blocks(document) if block.page == link.page]
    start = document.text.find(link.place, own[0].start, own[-1].end) if own and link.place else -1
    return _context(document.text, start, len(link.place)) if start >= 0 else link.place


def _context(text: str, start: int, length: int) -> str:
    return text[max(0, start - CONTEXT_CHARS) : start + length + CONTEXT_CHARS]


def _is_in_code(text: str, position: int, code: Sequence[tuple[int, int]]) -> bool:
    """Return True for a position in a block of code, or behind an open backtick of its line."""
    is_inline = text.count("`", text.rfind("\n", 0, position) + 1, position) % 2 == 1
    return is_inline or any(start <= position < end for start, end in code)


def _joined(base: str, relative: str) -> str:
    try:
        return urljoin(base, relative)
    except ValueError:
        return ""


def url_type(url: str) -> str:
    """Return what an address leads to, by its host and path: `api_endpoint`, `navigation`, `image` or `general`."""
    parts = _split(url)
    if parts is None:
        return "general"
    host, path = parts
    if _PICTURE.search(path):
        return "image"
    if _API_HOST.search(host) or _API_PART.search(path):
        return "api_endpoint"
    is_entry = path in ("", "/") and "?" not in url
    return "navigation" if is_entry or _NAVIGATION.search(path) else "general"


def _trimmed(url: str) -> str:
    """Return an address without the punctuation of the sentence that it ends, and without brackets opened before it."""
    while url:
        last = url[-1]
        if last in _TRAILING or (last in _CLOSING and url.count(last) > url.count(_CLOSING[last])):
            url = url[:-1]
        else:
            break
    return url


def _split(url: str) -> tuple[str, str] | None:
    """Return host and path; None if it is no address."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        return parts.hostname or "", parts.path
    except ValueError:
        return None


def _host(url: str) -> str:
    parts = _split(url)
    return parts[0].strip(".") if parts else ""


def _confidence(url: str, host: str, *, is_target: bool) -> float:
    if "." not in host and ":" not in host:
        return DOUBTFUL
    if "://" not in url:
        return WITHOUT_SCHEME
    return TARGET if is_target else WRITTEN
