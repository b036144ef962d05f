"""What became of the files of a library is told, and changes nothing."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED, State
from pincite.sources.base import FileState
from pincite.sources.library import CHANGED, GONE, LibrarySource


@pytest.fixture
def states(tmp_path: Path) -> dict[str, State]:
    """The states of three files, as they were added."""
    states: dict[str, State] = {}
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text(name)
        found = (tmp_path / name).stat()
        states[str(tmp_path / name)] = FileState(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return states


@pytest.fixture
def source(tmp_path: Path, states: dict[str, State]) -> LibrarySource:
    def added(keys: Iterable[str] | None) -> dict[str, State]:
        return {key: states[key] for key in (states if keys is None else keys) if key in states}

    return LibrarySource(root=tmp_path, added=added)


def test_files_that_are_the_same_need_no_warning(source: LibrarySource, states: dict[str, State]) -> None:
    listing = source.listing(Call())
    assert (listing.states, listing.skipped, listing.warnings) == (states, {}, ())
    assert source.behind() == {}
    assert source.read(next(iter(states))).data == b"a.md"


def test_files_that_changed_or_are_gone_are_counted_and_listed_as_they_were_added(
    source: LibrarySource, states: dict[str, State], tmp_path: Path
) -> None:
    (tmp_path / "a.md").unlink()
    (tmp_path / "b.md").write_text("another text")
    listing = source.listing(Call())
    assert listing.states == states
    assert listing.warnings == (
        "The files of 1 of 3 documents are gone. The documents are kept as they were added.",
        "The files of 1 of 3 documents changed since they were added: add them again.",
    )
    assert {key: source.state(key) for key in states} == states
    assert source.behind() == {str(tmp_path / "a.md"): GONE, str(tmp_path / "b.md"): CHANGED}
    for name, reason in [("a.md", "gone"), ("b.md", "changed")]:
        with pytest.raises(NotFound, match=reason):
            source.read(str(tmp_path / name))


def test_a_file_that_was_added_while_it_was_written_is_not_said_to_have_changed(
    source: LibrarySource, states: dict[str, State]
) -> None:
    states.update(dict.fromkeys(states, UNTRUSTED))
    assert source.listing(Call()).warnings == ()
    assert source.size(UNTRUSTED) == 0
    with pytest.raises(NotFound, match="changed"):
        source.read(next(iter(states)))


def test_its_documents_change_when_they_are_added_again(source: LibrarySource) -> None:
    assert source.watch_mode().reason == "documents change when they are added again"
    assert source.left_out("a.md") is None


def test_a_wait_ends_when_documents_are_added(source: LibrarySource) -> None:
    source.acknowledge({})
    source.mark([], source.poll().ticket)
    assert source.wait(0) is False
    source.wake()
    assert source.wait(30) is True
    assert source.wait(0) is False
    source.close()
    assert source.wait(30) is False
