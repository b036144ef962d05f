"""What a reference points to: the text of its locator, in the present document or because it still stands there."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.errors import InvalidInput, NotFound
from pincite.index.missing import NEAREST, hint, why_unread
from pincite.index.view import IndexView
from pincite.model.chunk import text_hash
from pincite.model.locator import Ref
from pincite.model.status import iso
from pincite.model.store import PastPlace, PastRevision, StoredChunk, StoredDocument
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.paths import nearest

NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference, resolved.

    Attributes:
        document: The present document.
        every: All its chunks, in order.
        first: The place in `every` of the first chunk that the locator means.
        count: How many chunks it means.
        ref: The reference in the present revision; equal to what was asked where that is current.
        current: Whether the revision that was asked for is the present one.
    """

    document: StoredDocument
    every: Sequence[StoredChunk]
    first: int
    count: int
    ref: Ref
    current: bool

    @property
    def chunks(self) -> Sequence[StoredChunk]:
        """The chunks that the locator means."""
        return self.every[self.first : self.first + self.count]

    @property
    def text(self) -> str:
        """The canonical text of the locator, before the reference's range is cut out of it."""
        return "".join(stored.chunk.text for stored in self.chunks)


def resolve(view: IndexView, ref: Ref) -> Cited:
    """Find what a reference points to.

    An old reference stands where its chunks are in the present document, unchanged and side by side.

    Raises:
        NotFound: There is no such document, revision or place, or it changed; the message names what is there now.
        InvalidInput: The range reaches over the end of the locator's text.
    """
    document = _document(view, ref)
    every = view.snapshot.document_chunks(document.id)
    current = document.revision == ref.revision
    if current:
        first, count, locator = _present(every, ref)
    else:
        first, count, locator = _still(view, document, every, ref)
    cited = Cited(document, every, first, count, Ref(ref.document, document.revision, locator, ref.span), current)
    if ref.span and ref.span[1] > len(cited.text):
        raise InvalidInput(
            f"The range {excerpt(str(ref.span[0]))}-{excerpt(str(ref.span[1]))} reaches over the end of {ref.locator}: "
            f"it has {len(cited.text)} characters."
        )
    return cited


def section_of(locator: str) -> str:
    """The locator of the section that a chunk belongs to."""
    return locator.partition("-")[0]


def _document(view: IndexView, ref: Ref) -> StoredDocument:
    if why := why_unread(view, ref.document):
        raise NotFound(why)
    document = view.snapshot.document(ref.document)
    if document is not None:
        return document
    shown = excerpt(ref.document)
    past = view.snapshot.past(ref.document, ref.revision)
    if past is not None:
        raise NotFound(f"{shown} is gone; revision {ref.revision} ended {_time(past)}. Search again.")
    known = [d.name for d in view.snapshot.documents() if not d.failure]
    raise NotFound(f"No document {shown} here." + hint(view, ref.document, known))


def _present(every: Sequence[StoredChunk], ref: Ref) -> tuple[int, int, str]:
    """First chunk, number of chunks and locator of a reference to the present revision."""
    places = [place for place, stored in enumerate(every) if _means(ref.locator, stored.chunk.locator)]
    if places:
        return places[0], len(places), ref.locator
    known = list(dict.fromkeys(stored.chunk.locator for stored in every))
    near = nearest(ref.locator, known, NEAREST)
    shown, place = excerpt(ref.document), excerpt(ref.locator)
    raise NotFound(
        f"{shown} has no {place}: its {len(known)} locators run from {known[0]} to {known[-1]}."
        + (f" Nearest: {excerpts(near)}." if near else "")
        if known
        else f"{shown} has no text."
    )


def _still(view: IndexView, document: StoredDocument, every: Sequence[StoredChunk], ref: Ref) -> tuple[int, int, str]:
    """The same of a reference to an old revision that stands in the present document."""
    past = view.snapshot.past(ref.document, ref.revision)
    revision = f"Revision {ref.revision} of {excerpt(ref.document)}"
    if past is None:
        raise NotFound(
            f"{revision} is unknown: it was never indexed here, or is too old to be remembered. "
            f"The current one is {document.revision}: search again."
        )
    meant = sorted((place for place in past.places if _means(ref.locator, place.locator)), key=_part)
    if not meant:
        raise NotFound(f"{revision} had no {excerpt(ref.locator)}. Search again.")
    whole = "-" not in ref.locator
    found = [first for first in _runs(every, meant) if not whole or _is_section(every, first, len(meant))]
    if found:
        first = min(found, key=lambda place: every[place].breadcrumb != meant[0].breadcrumb)
        locator = every[first].chunk.locator
        return first, len(meant), section_of(locator) if whole else locator
    raise NotFound(_changed(every, ref, past, meant[0]))


def _part(place: PastPlace) -> int:
    return int(place.locator.rpartition("-")[2][1:])


def _means(requested: str, locator: str) -> bool:
    return requested in (locator, section_of(locator))


def _runs(every: Sequence[StoredChunk], meant: Sequence[PastPlace]) -> list[int]:
    """Where chunks of these hashes stand side by side."""
    hashes = [text_hash(stored.chunk.text) for stored in every]
    past_hashes = [place.hash for place in meant]
    return [i for i in range(len(hashes) - len(past_hashes) + 1) if hashes[i : i + len(past_hashes)] == past_hashes]


def _is_section(every: Sequence[StoredChunk], first: int, count: int) -> bool:
    """Whether these chunks are one whole section."""
    parts = every[first].chunk
    return parts.part == 1 and parts.parts == count


def _changed(every: Sequence[StoredChunk], ref: Ref, past: PastRevision, place: PastPlace) -> str:
    """What an agent can do about a place that is not as it was."""
    message = f"{excerpt(ref.document)} changed: {excerpt(ref.locator)} of revision {ref.revision} ended {_time(past)}."
    breadcrumbs = list(dict.fromkeys(stored.breadcrumb for stored in every))
    near = [place.breadcrumb] if place.breadcrumb in breadcrumbs else nearest(place.breadcrumb, breadcrumbs, 1)
    now = next((stored for stored in every if near and stored.breadcrumb == near[0]), None)
    if now is None:
        return f"{message} Search again."
    section = Ref(ref.document, now.revision, section_of(now.chunk.locator))
    return f"{message} Its section is now {section} ({excerpt(now.breadcrumb) or 'before the first heading'})."


def _time(past: PastRevision) -> str:
    return iso(past.ended_ns / NANOSECONDS)
