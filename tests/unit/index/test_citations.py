"""References into chunks that overlap: nothing repeats, nothing shifts."""

from dataclasses import replace
from itertools import permutations

import pytest

from pincite.errors import InternalError, InvalidInput, NotFound
from pincite.index.citations import Cited, resolve
from pincite.model.chunk import text_hash
from pincite.model.locator import Ref
from pincite.model.store import PastPlace, PastRevision
from support.overlapping import DOCUMENT, REVISION, TEXT, VAULT, WINDOWS, chunk, stored


def cited(locator: str, span: tuple[int, int] | None = None) -> Cited:
    return resolve(DOCUMENT, stored(), None, Ref("keys.md", REVISION, locator, span))


def test_a_locator_covers_its_chunks_once() -> None:
    assert cited("h1-c2").locator_span == (WINDOWS[1].start, VAULT)
    assert cited("h1").locator_span == (0, VAULT)
    assert cited("h2").locator_span == (VAULT, len(TEXT))
    assert cited("h2-t1").locator_span == (VAULT + 12, VAULT + 20)


def test_a_range_counts_from_the_start_of_its_locator() -> None:
    start, end = cited("h1-c2", (6, 10)).span
    assert TEXT[start:end] == "four"
    with pytest.raises(InvalidInput, match=f"it has {VAULT} characters"):
        cited("h1", (0, VAULT + 1))


def test_neighbours_widen_the_span() -> None:
    assert cited("h2-c1").surroundings(1) == (WINDOWS[1].start, len(TEXT))
    assert cited("h1-c1").surroundings(20) == (0, len(TEXT))


@pytest.mark.parametrize(
    ("words", "locator", "span"),
    [
        ("three", "h1-c1", (16, 21)),
        ("three four", "h1-c2", (0, 10)),
        ("two three four", "h1", (12, 26)),
    ],
)
def test_a_span_is_named_by_the_chunk_that_has_it_whole_else_by_its_section(
    words: str, locator: str, span: tuple[int, int]
) -> None:
    start = TEXT.index(words)
    ref = cited("h2").reference((start, start + len(words)))
    assert (ref.locator, ref.span) == (locator, span)
    assert TEXT[slice(*cited(locator, span).span)] == words


def test_what_of_a_span_leaves_its_section_is_left_out() -> None:
    start = TEXT.index("six.")
    ref = cited("h1").reference((start, VAULT + 8))
    assert ref.locator == "h1"
    assert TEXT[slice(*cited(ref.locator, ref.span).span)] == "six.\n\n"


def test_a_span_outside_of_every_chunk_is_a_bug() -> None:
    with pytest.raises(InternalError):
        cited("h1").reference((len(TEXT), len(TEXT) + 1))


def test_a_reference_to_an_older_revision_resolves_where_its_chunks_are_in_a_row() -> None:
    places = (PastPlace(f"h4-c{n}", text_hash(window.text), "Keys") for n, window in enumerate(WINDOWS[:2], 1))
    past = PastRevision(0, tuple(places))
    old = resolve(DOCUMENT, stored(), past, Ref("keys.md", "99999999", "h4", (8, 11)))
    assert (old.current, str(old.ref)) == (False, f"keys.md@{REVISION}#h1:8-11")
    assert TEXT[slice(*old.span)] == "One"


def test_an_older_section_with_a_table_resolves_whatever_the_order_of_its_chunks() -> None:
    section = [PastPlace(w.locator.replace("h2", "h9"), text_hash(w.text), "Keys > Vault") for w in WINDOWS[2:]]
    for places in permutations(section):
        old = resolve(DOCUMENT, stored(), PastRevision(0, places), Ref("keys.md", "99999999", "h9"))
        assert (old.ref.locator, old.span) == ("h2", (VAULT, len(TEXT)))
    swapped = [replace(section[0], hash=section[1].hash), replace(section[1], hash=section[0].hash), section[2]]
    with pytest.raises(NotFound, match="changed"):
        resolve(DOCUMENT, stored(), PastRevision(0, tuple(swapped)), Ref("keys.md", "99999999", "h9"))


def test_a_locator_includes_what_lies_between_its_chunks() -> None:
    chunks = stored([chunk(0, "h1-c1", 0, 6), chunk(1, "h1-c2", 8, VAULT)])
    assert resolve(DOCUMENT, chunks, None, Ref("keys.md", REVISION, "h1")).locator_span == (0, VAULT)
