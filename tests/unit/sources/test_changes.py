"""The order in which changed names are dealt with."""

from pincite.sources.changes import ChangeSet


def names(changes: ChangeSet) -> list[str]:
    return list(reversed(changes.current(scanning=False).names))


def test_the_latest_change_is_the_most_urgent_also_of_a_name_that_waited_already() -> None:
    changes = ChangeSet()
    changes.add(["a.md"])
    changes.add(["b.md"])
    changes.add(["a.md"])
    assert names(changes) == ["a.md", "b.md"]


def test_what_a_listing_found_comes_after_all_changes_in_the_order_given() -> None:
    changes = ChangeSet()
    changes.add(["changed.md"])
    changes.add_everything()
    ticket = changes.mark(["gone.md", "known.md", "new.md"], changes.current(scanning=False).ticket)
    changes.add(["later.md"])
    assert names(changes) == ["later.md", "changed.md", "gone.md", "known.md", "new.md"]
    seen = changes.current(scanning=False)
    assert [name for name in names(changes) if seen.names[name] == ticket] == ["gone.md", "known.md", "new.md"]
    assert not seen.everything


def test_what_was_reported_during_a_listing_stays_urgent_and_its_ticket_rises() -> None:
    changes = ChangeSet()
    changes.mark(["a.md", "b.md"], 0)
    changes.add(["b.md"])
    before = changes.current(scanning=False).names["b.md"]
    ticket = changes.mark(["a.md", "b.md"], 0)
    seen = changes.current(scanning=False)
    assert (names(changes), seen.names["a.md"]) == (["b.md", "a.md"], ticket)
    assert seen.names["b.md"] > before
    assert seen.names["b.md"] != ticket


def test_an_event_during_the_listing_leaves_everything_to_be_listed_again() -> None:
    changes = ChangeSet()
    changes.add_everything()
    before = changes.current(scanning=False).ticket
    changes.add_everything()
    changes.mark(["a.md"], before)
    assert changes.current(scanning=False).everything
