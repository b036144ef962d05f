"""References into chunks that overlap: nothing repeats, nothing shifts."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from pincite.errors import InternalError, InvalidInput, NotFound
from pincite.index import citations
from pincite.index.citations import Cited
from pincite.model.chunk import text_hash
from pincite.model.locator import Ref
from pincite.model.store import PastRevision, Place, StoredDocument
from pincite.store.base import Snapshot
from support.overlapping import REVISION, TEXT, VAULT, WINDOWS, chunk, snapshot

OLD = "99999999"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Snapshot]:
    with snapshot(tmp_path) as opened:
        yield opened


def document(index: Snapshot) -> StoredDocument:
    found = index.document("keys.md")
    assert found is not None
    return found


def cited(index: Snapshot, locator: str, span: tuple[int, int] | None = None) -> Cited:
    return citations.resolve(index, document(index), None, Ref("keys.md", REVISION, locator, span))


def resolved(index: Snapshot, places: Iterator[Place] | tuple[Place, ...], locator: str, *span: int) -> Cited:
    """A reference to an older revision of these places."""
    ref = Ref("keys.md", OLD, locator, (span[0], span[1]) if span else None)
    return citations.resolve(index, document(index), PastRevision(0, tuple(places)), ref)


def reference(index: Snapshot, start: int, end: int) -> Ref:
    return citations.reference(index, document(index), (start, end))


def unmarked(ref: Ref) -> str:
    return str(replace(ref, mark=""))


def test_a_locator_covers_its_chunks_once(index: Snapshot) -> None:
    assert cited(index, "h1-c2").span == (WINDOWS[1].start, VAULT)
    assert cited(index, "h1").span == (0, VAULT)
    assert cited(index, "h2").span == (VAULT, len(TEXT))
    assert cited(index, "h2-t1").span == (VAULT + 12, VAULT + 20)


def test_a_range_counts_from_the_start_of_its_locator(index: Snapshot) -> None:
    start, end = cited(index, "h1-c2", (6, 10)).span
    assert TEXT[start:end] == "four"
    with pytest.raises(InvalidInput, match=f"it has {VAULT} characters"):
        cited(index, "h1", (0, VAULT + 1))


def test_a_locator_that_does_not_exist_names_the_nearest(index: Snapshot) -> None:
    with pytest.raises(NotFound) as caught:
        cited(index, "h2-c3")
    assert caught.value.message == (
        "keys.md has no h2-c3: its 5 locators run from h1-c1 to h2-t1. Nearest: h2-c1, h2-c2, h2-t1."
    )


def test_neighbours_widen_the_span(index: Snapshot) -> None:
    assert citations.surroundings(index, cited(index, "h2-c1"), 1) == (WINDOWS[1].start, len(TEXT))
    assert citations.surroundings(index, cited(index, "h1-c1"), 20) == (0, len(TEXT))


@pytest.mark.parametrize(
    ("words", "locator", "span"),
    [
        ("three", "h1-c1", (16, 21)),
        ("three four", "h1-c2", (0, 10)),
        ("two three four", "h1", (12, 26)),
    ],
)
def test_a_span_is_named_by_the_chunk_that_has_it_whole_else_by_its_section(
    index: Snapshot, words: str, locator: str, span: tuple[int, int]
) -> None:
    start = TEXT.index(words)
    ref = reference(index, start, start + len(words))
    assert (ref.locator, ref.span) == (locator, span)
    assert TEXT[slice(*cited(index, locator, span).span)] == words


def test_what_of_a_span_leaves_its_section_is_left_out(index: Snapshot) -> None:
    start = TEXT.index("six.")
    ref = reference(index, start, VAULT + 8)
    assert ref.locator == "h1"
    assert TEXT[slice(*cited(index, ref.locator, ref.span).span)] == "six.\n\n"


def test_a_span_outside_of_every_chunk_is_a_bug(index: Snapshot) -> None:
    with pytest.raises(InternalError):
        reference(index, len(TEXT), len(TEXT) + 1)


def test_a_reference_to_an_older_revision_resolves_where_its_chunks_are_in_a_row(index: Snapshot) -> None:
    places = (Place(f"h4-c{n}", text_hash(window.text), "Keys") for n, window in enumerate(WINDOWS[:2], 1))
    old = resolved(index, places, "h4", 8, 11)
    assert (old.current, unmarked(old.ref)) == (False, f"keys.md@{REVISION}#h1:8-11")
    assert TEXT[slice(*old.span)] == "One"


def test_an_older_section_with_a_table_resolves_whatever_the_order_of_its_chunks(index: Snapshot) -> None:
    section = [Place(w.locator.replace("h2", "h9"), text_hash(w.text), "Keys > Vault") for w in WINDOWS[2:]]
    for places in permutations(section):
        old = resolved(index, places, "h9")
        assert (old.ref.locator, old.span) == ("h2", (VAULT, len(TEXT)))
    swapped = (replace(section[0], hash=section[1].hash), replace(section[1], hash=section[0].hash), section[2])
    with pytest.raises(NotFound, match="changed"):
        resolved(index, swapped, "h9")


def old_place(locator: str, start: int, end: int) -> Place:
    return Place(locator, text_hash(TEXT[start:end]), "Keys", (start, end))


def test_a_text_that_is_where_it_was_is_found_whatever_its_chunks_are_now(index: Snapshot) -> None:
    places = (old_place("h1-c1", 0, 15), old_place("h1-c2", 15, VAULT), old_place("h9-c1", VAULT - 5, VAULT + 3))
    chunk = resolved(index, places, "h1-c2")
    assert (unmarked(chunk.ref), TEXT[slice(*chunk.span)]) == (f"keys.md@{REVISION}#h1:15-{VAULT}", TEXT[15:VAULT])
    part = resolved(index, places, "h1-c2", 3, 8)
    assert TEXT[slice(*part.span)] == TEXT[18:23] and resolved(index, places, "h1").ref.locator == "h1"
    with pytest.raises(InvalidInput, match="reaches over the end of h1-c2"):
        resolved(index, places, "h1-c2", 0, VAULT)
    with pytest.raises(NotFound, match="changed"):
        resolved(index, places, "h9-c1")


def test_a_text_that_is_not_where_it_was_has_changed(index: Snapshot) -> None:
    for place in (
        replace(old_place("h1-c1", 0, 15), span=(1, 16)),
        replace(old_place("h1-c1", 0, 15), span=(0, 0)),
        old_place("h1-c1", 0, 15),
    ):
        with pytest.raises(NotFound, match="changed"):
            resolved(index, (place,), "h1" if place.span == (0, 15) else "h1-c1")


def test_a_locator_includes_what_lies_between_its_chunks(tmp_path: Path) -> None:
    with snapshot(tmp_path, [chunk(0, "h1-c1", 0, 6), chunk(1, "h1-c2", 8, VAULT)]) as index:
        assert cited(index, "h1").span == (0, VAULT)
