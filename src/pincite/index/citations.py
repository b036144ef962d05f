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
from pincite.model.store import PastRevision, Place, StoredChunk, StoredDocument
from pincite.model.units import NANOSECONDS_PER_SECOND
from pincite.store.base import Snapshot
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.paths import nearest


@dataclass(frozen=True, slots=True)
class Cited:
    """A resolved reference.

    Attributes:
        document: The present document.
        chunks: The locator's chunks, in order.
        ref: The reference in the present revision; equal to the given one if that is current.
        current: Whether the given revision is the present one.
    """

    document: StoredDocument
    chunks: Sequence[StoredChunk]
    ref: Ref
    current: bool

    @property
    def locator_span(self) -> Span:
        """The locator's span in the document's text, without regard to the reference's own span."""
        return span_of(self.chunks)

    @property
    def span(self) -> Span:
        """The cited span in the document's text."""
        start, end = self.locator_span
        return (start, end) if self.ref.span is None else (start + self.ref.span[0], start + self.ref.span[1])


def resolve(snapshot: Snapshot, document: StoredDocument, past: PastRevision | None, ref: Ref) -> Cited:
    """Resolve a reference to a document.

    A reference to an older revision resolves if the present document has its chunk, or a section of the same chunks,
    unchanged.

    Args:
        snapshot: The index.
        document: The present document.
        past: The reference's revision, if it is a remembered older one.
        ref: The reference.

    Raises:
        NotFound: The revision or locator does not exist, or its text changed; the message names the present one.
        InvalidInput: The span exceeds the locator's text.
    """
    current = document.revision == ref.revision
    present = ref if current else _moved(snapshot, document, past, ref)
    chunks = snapshot.located_chunks(document.id, present.locator)
    if not chunks:
        raise NotFound(_no_place(snapshot.places(document.id), ref))
    cited = Cited(document, chunks, present, current)
    _check_range(present, cited.locator_span)
    return cited


def surroundings(snapshot: Snapshot, cited: Cited, neighbours: int) -> Span:
    """Return the span of a locator's chunks with this number of chunks on each side."""
    first, last = (cited.chunks[place].chunk.ordinal for place in (0, -1))
    return span_of(snapshot.document_chunks(cited.document.id, max(0, first - neighbours), last + neighbours))


def reference(snapshot: Snapshot, document: StoredDocument, span: Span) -> Ref:
    """Return the reference to a span of a document's text.

    To the first chunk that has it whole, else to the section that it begins in; what of the span is outside of that
    section is left out.

    Raises:
        InternalError: No chunk has the beginning of the span.
    """
    begun = snapshot.overlapping_chunks(document.id, span[0], span[0] + 1)
    if not begun:
        raise InternalError("A span begins outside of every chunk of its document.")
    whole = next((stored for stored in begun if span[1] <= stored.chunk.end), None)
    locator = whole.chunk.locator if whole else section_of(begun[0].chunk.locator)
    start, end = span_of([whole] if whole else snapshot.located_chunks(document.id, locator))
    return Ref(document.name, document.revision, locator, (span[0] - start, min(span[1], end) - start))


def deleted(ref: Ref, past: PastRevision) -> str:
    """Return the message for a reference to a document that was deleted."""
    return f"{excerpt(ref.document)} was deleted; revision {ref.revision} ended {_time(past)}. Search again."


def _no_place(every: Sequence[Place], ref: Ref) -> str:
    """Return the error message for a locator that the present revision does not have."""
    locators = [place.locator for place in every]
    if not locators:
        return f"{excerpt(ref.document)} has no text."
    near = nearest(ref.locator, locators, NEAREST)
    return (
        f"{excerpt(ref.document)} has no {excerpt(ref.locator)}: "
        f"its {len(locators)} locators run from {locators[0]} to {locators[-1]}."
        + (f" Nearest: {excerpts(near)}." if near else "")
    )


def _check_range(ref: Ref, span: Span) -> None:
    """Raise InvalidInput if the range of a reference exceeds the span of its locator."""
    length = span[1] - span[0]
    if ref.span and ref.span[1] > length:
        raise InvalidInput(
            f"The range {excerpt(str(ref.span[0]))}-{excerpt(str(ref.span[1]))} reaches over the end of {ref.locator}: "
            f"it has {length} characters."
        )


def _moved(snapshot: Snapshot, document: StoredDocument, past: PastRevision | None, ref: Ref) -> Ref:
    """Return the present reference for one to an older revision, whose text the present document still has."""
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
    every = snapshot.places(document.id)
    same = _same_sections(every, old) if is_section_ref else [place for place in every if place.hash == old[0].hash]
    if same:
        # The same text may occur more than once: prefer the one under the same headings.
        locator = min(same, key=lambda place: place.breadcrumb != old[0].breadcrumb).locator
        return Ref(document.name, document.revision, section_of(locator) if is_section_ref else locator, ref.span)
    if recut := _recut(snapshot, document, old, ref):
        return recut
    raise NotFound(_changed(every, document, ref, past, old[0]))


def _recut(snapshot: Snapshot, document: StoredDocument, old: Sequence[Place], ref: Ref) -> Ref | None:
    """Return the present reference for a text that is where it was, in other chunks: of another size, for example.

    None if the text is not there, or it is a section that now has more.
    """
    start, end = min(place.span[0] for place in old), max(place.span[1] for place in old)
    text = snapshot.text(document.id, start, end)
    if not text or any(text_hash(text[place.span[0] - start : place.span[1] - start]) != place.hash for place in old):
        return None
    _check_range(ref, (start, end))
    if "-" not in ref.locator:
        section = section_of(reference(snapshot, document, (start, end)).locator)
        if span_of(snapshot.located_chunks(document.id, section)) != (start, end):
            return None
        return Ref(document.name, document.revision, section, ref.span)
    # A chunk that is in several sections now has no reference.
    present = reference(snapshot, document, (start, end))
    offset, present_end = present.span or (0, 0)
    if present_end - offset != end - start:
        return None
    first, last = ref.span or (0, end - start)
    return replace(present, span=(offset + first, offset + last))


def _is_within(requested: str, locator: str) -> bool:
    return requested in (locator, section_of(locator))


def _same_sections(every: Sequence[Place], old: Iterable[Place]) -> list[Place]:
    """Return the first place of each section that has these chunks and no other."""
    hashes = _by_locator(old)
    sections = [list(places) for _, places in groupby(every, lambda place: section_of(place.locator))]
    return [section[0] for section in sections if _by_locator(section) == hashes]


def _by_locator(places: Iterable[Place]) -> list[tuple[str, bytes]]:
    """Return kind and hash of a section's chunks by kind and number."""
    suffixes = ((place.locator.rpartition("-")[2], place.hash) for place in places)
    numbered = sorted((suffix[:1], int(suffix[1:]), text) for suffix, text in suffixes)
    return [(kind, text) for kind, _, text in numbered]


def _changed(every: Sequence[Place], document: StoredDocument, ref: Ref, past: PastRevision, place: Place) -> str:
    """Return the error message for a changed text: where its section is now."""
    message = f"{excerpt(ref.document)} changed: {excerpt(ref.locator)} of revision {ref.revision} ended {_time(past)}."
    breadcrumbs = list(dict.fromkeys(each.breadcrumb for each in every))
    near = [place.breadcrumb] if place.breadcrumb in breadcrumbs else nearest(place.breadcrumb, breadcrumbs, 1)
    now = next((each for each in every if near and each.breadcrumb == near[0]), None)
    if now is None:
        return f"{message} Search again."
    section = Ref(ref.document, document.revision, section_of(now.locator))
    return f"{message} Its section is now {section} ({excerpt(now.breadcrumb) or 'before the first heading'})."


def _time(past: PastRevision) -> str:
    return iso(past.ended_ns / NANOSECONDS_PER_SECOND)
