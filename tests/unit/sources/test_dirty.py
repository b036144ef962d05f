"""The order in which changed names are dealt with."""

from pincite.sources.dirty import DirtySet


def names(dirty: DirtySet) -> list[str]:
    return list(reversed(dirty.seen(scanning=False).names))


def test_the_latest_change_is_the_most_urgent_also_of_a_name_that_waited_already() -> None:
    dirty = DirtySet()
    dirty.add(["a.md"])
    dirty.add(["b.md"])
    dirty.add(["a.md"])
    assert names(dirty) == ["a.md", "b.md"]


def test_what_a_listing_found_comes_after_all_changes_in_the_order_given() -> None:
    dirty = DirtySet()
    dirty.add(["changed.md"])
    dirty.add_everything()
    ticket = dirty.mark(["gone.md", "known.md", "new.md"], dirty.seen(scanning=False).ticket)
    dirty.add(["later.md"])
    assert names(dirty) == ["later.md", "changed.md", "gone.md", "known.md", "new.md"]
    seen = dirty.seen(scanning=False)
    assert [name for name in names(dirty) if seen.names[name] == ticket] == ["gone.md", "known.md", "new.md"]
    assert not seen.everything


def test_what_was_reported_during_a_listing_stays_urgent_and_its_ticket_rises() -> None:
    dirty = DirtySet()
    dirty.mark(["a.md", "b.md"], 0)
    dirty.add(["b.md"])
    before = dirty.seen(scanning=False).names["b.md"]
    ticket = dirty.mark(["a.md", "b.md"], 0)
    seen = dirty.seen(scanning=False)
    assert (names(dirty), seen.names["a.md"]) == (["b.md", "a.md"], ticket)
    assert seen.names["b.md"] > before
    assert seen.names["b.md"] != ticket


def test_an_event_during_the_listing_leaves_everything_to_be_listed_again() -> None:
    dirty = DirtySet()
    dirty.add_everything()
    before = dirty.seen(scanning=False).ticket
    dirty.add_everything()
    dirty.mark(["a.md"], before)
    assert dirty.seen(scanning=False).everything
