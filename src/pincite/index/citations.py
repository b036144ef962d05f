"""Resolve references to chunks of the present documents, including references to older revisions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pincite.errors import InternalError, InvalidInput, NotFound
from pincite.index.missing import NEAREST
from pincite.index.spans import Span, section_of, span_of
from pincite.model.chunk import text_hash
from pincite.model.locator import Ref
from pincite.model.status import iso
from pincite.model.store import PastPlace, PastRevision, StoredChunk, StoredDocument
from pincite.model.units import NANOSECONDS_PER_SECOND
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.paths import nearest


@dataclass(frozen=True, slots=True)
class Cited:
    """A resolved reference.

    Attributes:
        document: The present document.
        every: All its chunks, in order.
        first: Index in `every` of the locator's first chunk.
        count: Number of chunks of the locator.
        ref: The reference in the present revision; equal to the given one if that is current.
        current: Whether the given revision is the present one.
    """

    document: StoredDocument
    every: Sequence[StoredChunk]
    first: int
    count: int
    ref: Ref
    current: bool

    @property
    def chunks(self) -> Sequence[StoredChunk]:
        """The locator's chunks."""
        return self.every[self.first : self.first + self.count]

    @property
    def locator_span(self) -> Span:
        """The locator's span in the document's text, without regard to the reference's own span."""
        return span_of(self.chunks)

    @property
    def span(self) -> Span:
        """The cited span in the document's text."""
        start, end = self.locator_span
        return (start, end) if self.ref.span is None else (start + self.ref.span[0], start + self.ref.span[1])

    def surroundings(self, neighbours: int) -> Span:
        """Return the span of the locator's chunks with this number of chunks on each side."""
        return span_of(self.every[max(0, self.first - neighbours) : self.first + self.count + neighbours])

    def reference(self, span: Span) -> Ref:
        """Return the reference to a span of the document's text.

        To the first chunk that has it whole, else to the section that it begins in; what of the span is outside of
        that section is left out.

        Raises:
            InternalError: No chunk has the beginning of the span.
        """
        begun = [stored for stored in self.every if stored.chunk.start <= span[0] < stored.chunk.end]
        if not begun:
            raise InternalError("A span begins outside of every chunk of its document.")
        whole = next((stored for stored in begun if span[1] <= stored.chunk.end), None)
        locator = whole.chunk.locator if whole else section_of(begun[0].chunk.locator)
        start, end = span_of(stored for stored in self.every if _is_within(locator, stored.chunk.locator))
        return replace(self.ref, locator=locator, span=(span[0] - start, min(span[1], end) - start))


def resolve(document: StoredDocument, every: Sequence[StoredChunk], past: PastRevision | None, ref: Ref) -> Cited:
    """Resolve a reference to a document.

    A reference to an older revision resolves if the present document has its chunk, or a section of the same chunks,
    unchanged.

    Args:
        document: The present document.
        every: All its chunks, in order.
        past: The reference's revision, if it is a remembered older one.
        ref: The reference.

    Raises:
        NotFound: The revision or locator does not exist, or its text changed; the message names the present one.
        InvalidInput: The span exceeds the locator's text.
    """
    current = document.revision == ref.revision
    first, count, locator = _present(every, ref) if current else _moved(document, every, past, ref)
    cited = Cited(document, every, first, count, Ref(ref.document, document.revision, locator, ref.span), current)
    start, end = cited.locator_span
    if ref.span and ref.span[1] > end - start:
        raise InvalidInput(
            f"The range {excerpt(str(ref.span[0]))}-{excerpt(str(ref.span[1]))} reaches over the end of {ref.locator}: "
            f"it has {end - start} characters."
        )
    return cited


def deleted(ref: Ref, past: PastRevision) -> str:
    """Return the message for a reference to a document that was deleted."""
    return f"{excerpt(ref.document)} was deleted; revision {ref.revision} ended {_time(past)}. Search again."


def _present(every: Sequence[StoredChunk], ref: Ref) -> tuple[int, int, str]:
    """Return first chunk, number of chunks and locator of a reference to the present revision."""
    places = [place for place, stored in enumerate(every) if _is_within(ref.locator, stored.chunk.locator)]
    if places:
        return places[0], places[-1] + 1 - places[0], ref.locator
    locators = list(dict.fromkeys(stored.chunk.locator for stored in every))
    near = nearest(ref.locator, locators, NEAREST)
    shown, place = excerpt(ref.document), excerpt(ref.locator)
    raise NotFound(
        f"{shown} has no {place}: its {len(locators)} locators run from {locators[0]} to {locators[-1]}."
        + (f" Nearest: {excerpts(near)}." if near else "")
        if locators
        else f"{shown} has no text."
    )


def _moved(
    document: StoredDocument, every: Sequence[StoredChunk], past: PastRevision | None, ref: Ref
) -> tuple[int, int, str]:
    """Return the same for a reference to an older revision, whose text the present document still has."""
    revision = f"Revision {ref.revision} of {excerpt(ref.document)}"
    if past is None:
        raise NotFound(
            f"{revision} is unknown: it was never indexed here, or is too old to be remembered. "
            f"The current one is {document.revision}: search again."
        )
    old = [place for place in past.places if _is_within(ref.locator, place.locator)]
    if not old:
        raise NotFound(f"{revision} had no {excerpt(ref.locator)}. Search again.")
    is_section_ref = "-" not in ref.locator
    runs = _same_sections(every, old) if is_section_ref else _same_chunks(every, old[0])
    if runs:
        # The same text may occur more than once: prefer the one under the same headings.
        first, count = min(runs, key=lambda run: every[run[0]].breadcrumb != old[0].breadcrumb)
        locator = every[first].chunk.locator
        return first, count, section_of(locator) if is_section_ref else locator
    raise NotFound(_changed(every, ref, past, old[0]))


def _is_within(requested: str, locator: str) -> bool:
    return requested in (locator, section_of(locator))


def _same_chunks(every: Sequence[StoredChunk], old: PastPlace) -> list[tuple[int, int]]:
    """Return first chunk and number of chunks (1) of each place that has this chunk's text."""
    return [(number, 1) for number, stored in enumerate(every) if text_hash(stored.chunk.text) == old.hash]


def _same_sections(every: Sequence[StoredChunk], old: Iterable[PastPlace]) -> list[tuple[int, int]]:
    """Return first chunk and number of chunks of each section that has these chunks and no other."""
    hashes = _by_locator((place.locator, place.hash) for place in old)
    same: list[tuple[int, int]] = []
    for _, section in groupby(enumerate(every), lambda item: section_of(item[1].chunk.locator)):
        chunks = list(section)
        if _by_locator((stored.chunk.locator, text_hash(stored.chunk.text)) for _, stored in chunks) == hashes:
            same.append((chunks[0][0], len(chunks)))
    return same


def _by_locator(chunks: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return kind and hash of a section's chunks by kind and number: past ones are in no order."""
    suffixes = ((locator.rpartition("-")[2], text) for locator, text in chunks)
    numbered = sorted((suffix[:1], int(suffix[1:]), text) for suffix, text in suffixes)
    return [(kind, text) for kind, _, text in numbered]


def _changed(every: Sequence[StoredChunk], ref: Ref, past: PastRevision, place: PastPlace) -> str:
    """Return the error message for a changed text: where its section is now."""
    message = f"{excerpt(ref.document)} changed: {excerpt(ref.locator)} of revision {ref.revision} ended {_time(past)}."
    breadcrumbs = list(dict.fromkeys(stored.breadcrumb for stored in every))
    near = [place.breadcrumb] if place.breadcrumb in breadcrumbs else nearest(place.breadcrumb, breadcrumbs, 1)
    now = next((stored for stored in every if near and stored.breadcrumb == near[0]), None)
    if now is None:
        return f"{message} Search again."
    section = Ref(ref.document, now.revision, section_of(now.chunk.locator))
    return f"{message} Its section is now {section} ({excerpt(now.breadcrumb) or 'before the first heading'})."


def _time(past: PastRevision) -> str:
    return iso(past.ended_ns / NANOSECONDS_PER_SECOND)
