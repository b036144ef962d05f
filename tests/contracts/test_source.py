"""What every source promises, whatever it reads from and however it finds changes."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.errors import Cancelled, ConnectionFailed, NotFound
from pincite.model.call import Call
from pincite.model.store import State
from pincite.registry import SOURCES, load
from pincite.sources.base import FileState, WatchedSource


@dataclass(frozen=True)
class Place:
    """A source and how to change what it reads."""

    source: WatchedSource
    put: Callable[[str, bytes], None]
    drop: Callable[[str], None]
    lose: Callable[[], None]
    restore: Callable[[], None]


def folder(tmp_path: Path, *, watch: bool) -> Place:
    root = tmp_path.resolve() / "documents"
    root.mkdir()
    row = next(row for row in SOURCES if row.name == "folder")
    source = load(row)(
        root=root, extensions={".md": True}, max_text_bytes=10**6, max_other_bytes=10**6, max_files=10**4, watch=watch
    )

    def put(name: str, data: bytes) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)

    return Place(
        source,
        put,
        drop=lambda name: (root / name).unlink(),
        lose=lambda: root.rename(root.with_name("elsewhere")) and None,
        restore=lambda: root.with_name("elsewhere").rename(root) and None,
    )


def library(tmp_path: Path) -> Place:
    root = tmp_path.resolve() / "documents"
    root.mkdir()
    states: dict[str, State] = {}

    def added(keys: Iterable[str] | None) -> dict[str, State]:
        return {key: states[key] for key in (states if keys is None else keys) if key in states}

    def put(name: str, data: bytes) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        found = path.stat()
        states[name] = FileState(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

    row = next(row for row in SOURCES if row.name == "library")
    return Place(load(row)(root=root, added=added), put, drop=states.__delitem__, lose=root.rmdir, restore=root.mkdir)


KINDS: dict[str, Callable[[Path], Place]] = {
    "folder, events": lambda path: folder(path, watch=True),
    "folder, scan": lambda path: folder(path, watch=False),
    "library": library,
}
"""A library is what was added to it: it sees no change of its files by itself."""

UNWATCHED = {"library"}


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made = KINDS[request.param](tmp_path)
    yield made
    made.source.close()


@pytest.fixture(params=[kind for kind in KINDS if kind not in UNWATCHED])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made = KINDS[request.param](tmp_path)
    yield made
    made.source.close()


def known(source: WatchedSource) -> dict[str, State]:
    """Bring the source to rest: everything it holds counts as known afterwards."""
    changes = source.poll()
    files = dict(source.listing(Call()).states)
    source.mark((), changes.ticket)
    source.acknowledge(source.poll().names)
    return files


def changed(source: WatchedSource, before: dict[str, State]) -> set[str]:
    """The names that a caller who knows `before` must look at."""
    changes = source.poll()
    names = set(changes.names)
    if changes.everything:
        files = source.listing(Call()).states
        names |= {name for name in {*files, *before} if files.get(name) != before.get(name)}
    return names


def test_every_source_of_the_registry_is_here() -> None:
    assert {row.name for row in SOURCES} == {kind.split(",")[0] for kind in KINDS}


def test_before_the_first_listing_everything_is_dirty(place: Place) -> None:
    assert place.source.poll().everything


def test_lists_what_is_there_with_states_that_read_gives_too(place: Place) -> None:
    place.put("a.md", b"one")
    place.put("b/c.md", b"three")
    files = place.source.listing(Call()).states
    assert set(files) == {"a.md", "b/c.md"}
    for name, data in [("a.md", b"one"), ("b/c.md", b"three")]:
        found = place.source.read(name)
        assert (found.data, found.state) == (data, files[name])
        assert place.source.size(found.state) == len(data)
        assert place.source.state(name) == files[name]


def test_at_rest_nothing_is_named(place: Place) -> None:
    place.put("a.md", b"one")
    assert changed(place.source, known(place.source)) == set()


def test_each_change_is_seen_by_the_very_next_poll(watched: Place) -> None:
    watched.put("a.md", b"one")
    watched.put("b/c.md", b"one")
    before = known(watched.source)
    watched.put("a.md", b"two")
    watched.put("b/d.md", b"new")
    watched.put("e/f/g.md", b"deep")
    watched.drop("b/c.md")
    assert changed(watched.source, before) == {"a.md", "b/d.md", "e/f/g.md", "b/c.md"}
    assert watched.source.state("b/c.md") is None


def test_nothing_leaves_the_set_before_it_is_settled(place: Place) -> None:
    known(place.source)
    place.source.mark({"a.md"}, place.source.poll().ticket)
    assert "a.md" in place.source.poll().names
    assert "a.md" in place.source.poll().names
    place.source.acknowledge(place.source.poll().names)
    assert "a.md" not in place.source.poll().names


def test_a_ticket_that_has_risen_is_not_settled(place: Place) -> None:
    known(place.source)
    place.source.mark({"a.md"}, place.source.poll().ticket)
    tickets = dict(place.source.poll().names)
    place.source.mark({"a.md"}, place.source.poll().ticket)
    place.source.acknowledge(tickets)
    assert place.source.poll().names["a.md"] > tickets["a.md"]


def test_a_dirty_set_once_shown_does_not_change(place: Place) -> None:
    known(place.source)
    place.source.mark({"a.md"}, place.source.poll().ticket)
    shown = place.source.poll()
    place.source.mark({"b.md"}, shown.ticket)
    place.source.acknowledge(place.source.poll().names)
    assert set(shown.names) == {"a.md"}


def test_settling_what_is_not_dirty_changes_nothing(place: Place) -> None:
    known(place.source)
    place.source.acknowledge({"never.md": 10**9})
    assert place.source.poll().names == {}


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../a.md", "/a.md", "a/../a.md", "a//b.md", "a\0.md", "\udc80.md", "gone.md"]
)
def test_a_name_that_is_none_has_no_state_and_no_bytes(place: Place, name: str) -> None:
    place.put("a.md", b"one")
    assert place.source.state(name) is None
    with pytest.raises(NotFound):
        place.source.read(name)


def test_a_source_that_is_lost_says_so_and_comes_back_by_itself(watched: Place) -> None:
    watched.put("a.md", b"one")
    known(watched.source)
    watched.lose()
    for ask in [watched.source.poll, lambda: watched.source.listing(Call()), lambda: watched.source.state("a.md")]:
        with pytest.raises(ConnectionFailed) as raised:
            ask()
        assert "/" not in raised.value.message
    assert watched.source.watch_mode().method in {"inotify", "scan"}
    watched.restore()
    watched.put("b.md", b"two")
    assert watched.source.poll().everything
    assert set(known(watched.source)) == {"a.md", "b.md"}
    before = known(watched.source)
    watched.put("b.md", b"three")
    assert changed(watched.source, before) == {"b.md"}


def test_a_listing_stops_when_the_caller_goes_away(place: Place) -> None:
    place.put("a.md", b"one")
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        place.source.listing(call)
    assert place.source.poll().everything


def test_wait_ends_when_something_changes(place: Place) -> None:
    known(place.source)
    place.source.mark({"a.md"}, place.source.poll().ticket)
    assert place.source.wait(60)


def test_wait_ends_when_its_time_is_over(place: Place) -> None:
    known(place.source)
    start = time.monotonic()
    assert not place.source.wait(0.05)
    assert time.monotonic() - start >= 0.05


def test_close_wakes_whoever_waits(place: Place) -> None:
    known(place.source)
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(place.source.wait(600)))
    waiting.start()
    place.source.close()
    waiting.join(30)
    assert answers == [False]


def test_closed_it_is_still_right(place: Place) -> None:
    known(place.source)
    place.source.close()
    place.put("a.md", b"one")
    assert place.source.poll().everything
    assert set(place.source.listing(Call()).states) == {"a.md"}
    assert not place.source.wait(60)
    place.source.close()


def test_no_change_is_lost_between_threads(watched: Place) -> None:
    """One writes, two read: whatever order they come in, each ends with the last content."""
    known(watched.source)
    held: dict[str, bytes] = {}
    states: dict[str, State] = {}
    lock = threading.Lock()
    done = threading.Event()

    def refresh() -> None:
        with lock:
            changes = watched.source.poll()
            if changes.everything:
                files = watched.source.listing(Call()).states
                watched.source.mark([n for n, state in files.items() if states.get(n) != state], changes.ticket)
                changes = watched.source.poll()
            for name in changes.names:
                try:
                    found = watched.source.read(name)
                except NotFound:
                    held.pop(name, None)
                    continue
                held[name], states[name] = found.data, found.state
                watched.source.acknowledge({name: changes.names[name]})

    def keep() -> None:
        while not done.is_set():
            refresh()
            watched.source.poll()

    readers = [threading.Thread(target=keep) for _ in range(2)]
    for reader in readers:
        reader.start()
    for i in range(300):
        watched.put(f"{i % 7}.md", b"x" * (i + 1))
    done.set()
    for reader in readers:
        reader.join(30)
    refresh()
    assert held == {f"{i % 7}.md": b"x" * (i + 1) for i in range(293, 300)}
