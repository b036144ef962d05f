"""Resolve references to chunks of the present documents, including references to older revisions."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from pincite.errors import InternalError, InvalidInput, NotFound
from pincite.index.spans import Span, section_of, span_of
from pincite.index.updating.missing import NEAREST
from pincite.model.chunk import text_hash
from pincite.model.locator import Ref
from pincite.model.sizes import NANOSECONDS_PER_SECOND
from pincite.model.status import iso
from pincite.model.store import PastRevision, Place, StoredChunk, StoredDocument
from pincite.store.base import Snapshot
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.names.paths import nearest

if TYPE_CHECKING:
    from pincite.evidence.marks import Location, Words


@dataclass(frozen=True, slots=True)
class Cited:
    """A resolved reference.

    Attributes:
        document: The present document.
        chunks: The chunks that have the cited text, in order.
        ref: The reference in the present revision; equal to the given one if that is current.
        current: Whether the given revision is the present one.
        span: The cited span in the document's text.
    """

    document: StoredDocument
    chunks: Sequence[StoredChunk]
    ref: Ref
    current: bool
    span: Span


def resolve(snapshot: Snapshot, document: StoredDocument, past: PastRevision | None, ref: Ref) -> Cited:
    """Resolve a reference to a document.

    A reference to another revision resolves if the present document has its chunk, or a section of the same chunks,
    unchanged, else if it has the words of its mark.

    Args:
        snapshot: The index.
        document: The present document.
        past: The reference's revision, if it is a remembered older one.
        ref: The reference.

    Raises:
        NotFound: The revision or locator does not exist, or its text changed; the message names the present one.
        InvalidInput: The span exceeds the locator's text.
    """
    if document.revision == ref.revision:
        return _located(snapshot, document, ref)
    old = [place for place in past.places if _is_within(ref.locator, place.locator)] if past else []
    same = _same_texts(snapshot, document, old, ref)
    # If the same text occurs more than once, the mark decides: unlike the hash, it knows what surrounds the text.
    if len(same) != 1 and ref.mark and (cited := _with_words(snapshot, document, ref)):
        return cited
    if not same:
        raise NotFound(_lost(snapshot, document, past, old, ref))
    cited = _located(snapshot, document, same[0])
    return replace(cited, ref=_marked(snapshot, cited.chunks[0], cited.ref, cited.span), current=False)


def reference_of(snapshot: Snapshot, chunks: Sequence[StoredChunk], locator: str) -> Ref:
    """Return the reference to a locator, from its chunks."""
    first = chunks[0]
    ref = Ref(first.document, first.revision, locator)
    return _marked(snapshot, first, ref, span_of(chunks))


def _marked(snapshot: Snapshot, first: StoredChunk, ref: Ref, span: Span) -> Ref:
    """Return a reference with the mark of the span that it cites, which begins in a chunk."""
    from pincite.evidence.marks import MARGIN_CHARS, Words  # noqa: PLC0415 - not at start-up

    start = max(0, span[0] - MARGIN_CHARS)
    words = Words(snapshot.text(first.document_id, start, span[1] + MARGIN_CHARS))
    offset = None
    if first.chunk.part > 1 and span[1] - span[0] <= MARGIN_CHARS:
        offset = span[0] - _section_start(snapshot, first)
    return replace(ref, mark=words.mark(_shifted(span, -start), first.breadcrumb, offset))


def _section_start(snapshot: Snapshot, stored: StoredChunk) -> int:
    """Return the first character of a chunk's section."""
    ordinal = stored.chunk.ordinal - stored.chunk.part + 1
    return snapshot.document_chunks(stored.document_id, ordinal, ordinal)[0].chunk.start


def _located(snapshot: Snapshot, document: StoredDocument, ref: Ref) -> Cited:
    """Resolve a reference to the present revision."""
    chunks = snapshot.located_chunks(document.id, ref.locator)
    if not chunks:
        raise NotFound(_no_place(snapshot.places(document.id), ref))
    start, end = span_of(chunks)
    _check_range(ref, (start, end))
    return Cited(document, chunks, ref, True, (start, end) if ref.span is None else _shifted(ref.span, start))  # noqa: FBT003


def _shifted(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def has_words(snapshot: Snapshot, document: StoredDocument, ref: Ref) -> bool:
    """Return True if a document has the words of a reference's mark."""
    return _find(_words(snapshot, document), snapshot.places(document.id), ref) is not None


def _words(snapshot: Snapshot, document: StoredDocument) -> "Words":
    from pincite.evidence.marks import Words  # noqa: PLC0415 - not at start-up

    return Words(snapshot.text(document.id))


def surroundings(snapshot: Snapshot, cited: Cited, neighbours: int) -> Span:
    """Return the span of a locator's chunks with this number of chunks on each side."""
    first, last = (cited.chunks[index].chunk.ordinal for index in (0, -1))
    return span_of(snapshot.document_chunks(cited.document.id, max(0, first - neighbours), last + neighbours))


def reference(snapshot: Snapshot, document: StoredDocument, span: Span) -> Ref:
    """Return the reference to a span of a document's text.

    To the smallest chunk that has it whole, else to the section that it begins in; what of the span is outside of that
    section is left out.

    Raises:
        InternalError: No chunk has the beginning of the span.
    """
    begun = snapshot.overlapping_chunks(document.id, span[0], span[0] + 1)
    if not begun:
        raise InternalError("A span begins outside of every chunk of its document.")
    whole = [stored for stored in begun if span[1] <= stored.chunk.end]
    smallest = min(whole, key=lambda stored: stored.chunk.end - stored.chunk.start, default=None)
    locator = smallest.chunk.locator if smallest else section_of(begun[0].chunk.locator)
    chunks = [smallest] if smallest else snapshot.located_chunks(document.id, locator)
    start, end = span_of(chunks)
    cited = span[0], min(span[1], end)
    ref = Ref(document.name, document.revision, locator, _shifted(cited, -start))
    return _marked(snapshot, chunks[0], ref, cited)


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


def _same_texts(snapshot: Snapshot, document: StoredDocument, old: Sequence[Place], ref: Ref) -> list[Ref]:
    """Return the present references to the unchanged text of an older revision's chunks, the best first."""
    if not old:
        return []
    is_section_ref = "-" not in ref.locator
    every = snapshot.places(document.id)
    same = _same_sections(every, old) if is_section_ref else [place for place in every if place.hash == old[0].hash]
    # The same text may occur more than once: prefer the one under the same headings.
    same.sort(key=lambda place: place.breadcrumb != old[0].breadcrumb)
    locators = [section_of(place.locator) if is_section_ref else place.locator for place in same]
    recut = None if locators else _recut(snapshot, document, old, ref)
    return [recut] if recut else [Ref(document.name, document.revision, locator, ref.span) for locator in locators]


def _with_words(snapshot: Snapshot, document: StoredDocument, ref: Ref) -> Cited | None:
    """Resolve a reference to the words of its mark; None if the document does not have them."""
    words = _words(snapshot, document)
    span = _find(words, snapshot.places(document.id), ref)
    begun = snapshot.overlapping_chunks(document.id, span[0], span[0] + 1) if span else []
    if span is None or not begun:
        return None
    if ref.span is None:
        span = words.with_lines(span)
        locators = [stored.chunk.locator for stored in begun]
        sections = [section_of(locator) for locator in locators]
        for locator in [*locators, *sections] if "-" in ref.locator else [*sections, *locators]:
            chunks = snapshot.located_chunks(document.id, locator)
            if words.indices(span_of(chunks)) == words.indices(span):
                return Cited(document, chunks, reference_of(snapshot, chunks, locator), False, span_of(chunks))  # noqa: FBT003
    cited = _located(snapshot, document, reference(snapshot, document, span))
    last = cited.chunks[-1].chunk.ordinal
    rest = [later for later in snapshot.overlapping_chunks(document.id, *span) if later.chunk.ordinal > last]
    return Cited(document, [*cited.chunks, *rest], cited.ref, False, span)  # noqa: FBT003


def _find(words: "Words", every: Sequence[Place], ref: Ref) -> Span | None:
    """Return the span of a document that has the words of a reference's mark; None if there is none."""
    from pincite.evidence.marks import Location  # noqa: PLC0415 - not at start-up

    starts = [place.span[0] for place in every]
    sections = {section_of(place.locator): place.span[0] for place in reversed(every)}
    first = (ref.span or (0, 0))[0]

    def locate(span: Span) -> "Location":
        place = every[max(0, bisect_right(starts, span[0]) - 1)]
        # Where a section has moved and is otherwise the same, its words are at the same offset in it.
        is_moved = place.locator.partition("-")[2] != ref.locator.partition("-")[2] or (
            ref.span is not None and span[0] - place.span[0] != first
        )
        drift = abs(_section_number(place.locator) - _section_number(ref.locator))
        return Location(place.breadcrumb, span[0] - sections[section_of(place.locator)], is_moved, drift)

    return words.find(ref.mark, locate, lines=ref.span is None, offset=first) if every else None


def _expected(every: Sequence[Place], old: Sequence[Place], ref: Ref) -> Place | None:
    """Return the chunk in which a text of another revision is expected; None in a document without text.

    By its headings if they are known, else by its locator, else by the nearest section number.
    """
    breadcrumbs = {place.breadcrumb for place in old}
    return min(
        every,
        key=lambda place: (
            place.breadcrumb not in breadcrumbs,
            abs(_section_number(place.locator) - _section_number(ref.locator)),
            place.locator != ref.locator,
        ),
        default=None,
    )


def _section_number(locator: str) -> int:
    return int(section_of(locator)[1:])


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
    return replace(present, span=_shifted(ref.span or (0, end - start), offset))


def _is_within(requested: str, locator: str) -> bool:
    return requested in (locator, section_of(locator))


def _same_sections(every: Sequence[Place], old: Iterable[Place]) -> list[Place]:
    """Return the first chunk of each section that has these chunks and no other."""
    hashes = _by_locator(old)
    sections = [list(places) for _, places in groupby(every, lambda place: section_of(place.locator))]
    return [section[0] for section in sections if _by_locator(section) == hashes]


def _by_locator(places: Iterable[Place]) -> list[tuple[str, bytes]]:
    """Return kind and hash of a section's chunks by kind and number."""
    suffixes = ((place.locator.rpartition("-")[2], place.hash) for place in places)
    numbered = sorted((suffix[:1], int(suffix[1:]), text) for suffix, text in suffixes)
    return [(kind, text) for kind, _, text in numbered]


def _lost(
    snapshot: Snapshot, document: StoredDocument, past: PastRevision | None, old: Sequence[Place], ref: Ref
) -> str:
    """Return the error message for a text that the present document does not have: where its section is now."""
    name, locator = excerpt(ref.document), excerpt(ref.locator)
    if past and not old:
        return f"Revision {ref.revision} of {name} had no {locator}. Search again."
    every = snapshot.places(document.id)
    if past:
        message = f"{name} changed: {locator} of revision {ref.revision} ended {_time(past)}."
        breadcrumbs = list(dict.fromkeys(place.breadcrumb for place in every))
        crumb = old[0].breadcrumb
        near = [crumb] if crumb in breadcrumbs else nearest(crumb, breadcrumbs, 1)
        now = next((place for place in every if place.breadcrumb in near), None)
    elif ref.mark:
        message = f"The words of {locator} of revision {ref.revision} are not in {name} any more, or in several places."
        now = _expected(every, old, ref)
    else:
        return (
            f"Revision {ref.revision} of {name} is unknown: it was never indexed here, or is too old to be remembered. "
            f"The current one is {document.revision}: search again."
        )
    if now is None:
        return f"{message} Search again."
    section = section_of(now.locator)
    present = reference_of(snapshot, snapshot.located_chunks(document.id, section), section)
    return f"{message} Its section is now {present} ({excerpt(now.breadcrumb) or 'before the first heading'})."


def _time(past: PastRevision) -> str:
    return iso(past.ended_ns / NANOSECONDS_PER_SECOND)
