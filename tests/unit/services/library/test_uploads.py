"""Files that are added to the library from the page."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import NotFound, Unsupported, WritingFailed
from pincite.index.updating.ingestion import Added, Outcome
from pincite.model.call import Call
from pincite.services.library.ingestion import plan, single_file
from pincite.services.library.uploads import LibraryUploads
from pincite.settings import load
from support.waiting import pause


@pytest.fixture
def app(tmp_path: Path, no_background: None) -> Iterator[App]:
    del no_background
    settings = {"DATA_DIR": tmp_path, "PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash"}
    made = App(load({**settings, "PINCITE_UPLOADS": "true"}), None, toolsets=["knowledge"])
    yield made
    made.close()


@pytest.fixture
def uploads(app: App) -> LibraryUploads:
    assert app.viewer.uploads is not None
    return app.viewer.uploads


def add(uploads: LibraryUploads, name: str, data: bytes) -> Added:
    upload = uploads.begin(name, data[:16])
    upload.write(data)
    return uploads.add_file(upload, name, Call())


def kept(tmp_path: Path) -> dict[str, bytes]:
    folder = tmp_path / "library"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def names(app: App) -> list[str]:
    return [listed.name for listed in app.viewer.listing("library", "", 0, 100, Call()).documents]


def test_an_upload_becomes_a_document_of_the_library(app: App, uploads: LibraryUploads, tmp_path: Path) -> None:
    added = add(uploads, "C:\\private\\guide.md", b"# Guide\n\nKeys are renewed.\n")
    assert (added.outcome, added.chunks > 0, names(app)) == (Outcome.ADDED, True, ["guide"])
    assert kept(tmp_path) == {"guide.md": b"# Guide\n\nKeys are renewed.\n"}


def test_a_file_of_the_same_name_replaces_it(app: App, uploads: LibraryUploads, tmp_path: Path) -> None:
    add(uploads, "guide.md", b"# One\n")
    assert add(uploads, "guide.md", b"# Two\n").outcome is Outcome.REPLACED
    assert (names(app), kept(tmp_path)) == (["guide"], {"guide.md": b"# Two\n"})


def test_what_cannot_be_read_is_not_kept_and_what_was_there_stays(uploads: LibraryUploads, tmp_path: Path) -> None:
    failed = add(uploads, "broken.pdf", b"%PDF-1.7 \x00\x01 damaged")
    assert failed.outcome is Outcome.FAILED and failed.reason
    assert kept(tmp_path) == {}
    add(uploads, "guide.csv", b"a,b\n1,2\n")
    assert add(uploads, "guide.csv", b"%PDF-1.7 \x00\x01 damaged").outcome is Outcome.FAILED
    assert kept(tmp_path) == {"guide.csv": b"a,b\n1,2\n"}


def test_a_file_that_fails_takes_none_of_its_name_with_it_that_came_meanwhile(
    uploads: LibraryUploads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others, ingest = ThreadPoolExecutor(1), vars(LibraryUploads)["_ingest"]
    other: list[Future[Added]] = []

    def failing(self: LibraryUploads, file: Path, call: Call) -> Added:
        if file.read_bytes() == b"# One\n":
            other.append(others.submit(add, uploads, "guide.md", b"# Two\n"))
            pause(0.2, "the other upload may go as far as it can")
            raise WritingFailed("The disk is full.")
        return ingest(self, file, call)

    monkeypatch.setattr(LibraryUploads, "_ingest", failing)
    with others, pytest.raises(WritingFailed):
        add(uploads, "guide.md", b"# One\n")
    assert other[0].result().outcome is Outcome.ADDED
    assert kept(tmp_path) == {"guide.md": b"# Two\n"}


@pytest.mark.parametrize("name", ["program.exe", "noextension", "../../.bashrc", ""])
def test_what_no_reader_knows_is_refused(uploads: LibraryUploads, name: str) -> None:
    with pytest.raises(Unsupported, match="Supported: "):
        uploads.begin(name, b"")


def test_a_document_is_removed_with_its_upload(app: App, uploads: LibraryUploads, tmp_path: Path) -> None:
    add(uploads, "guide.md", b"# Guide\n")
    add(uploads, "terms.md", b"# Terms\n")
    uploads.remove("guide", Call())
    assert (names(app), kept(tmp_path)) == (["terms"], {"terms.md": b"# Terms\n"})
    with pytest.raises(NotFound, match="guide"):
        uploads.remove("guide", Call())


def test_the_file_of_a_document_that_was_ingested_stays(app: App, uploads: LibraryUploads, tmp_path: Path) -> None:
    file = tmp_path / "own.md"
    file.write_text("# Own\n")
    with app.library_collection().view(Call(), semantic=False) as view:
        planned = plan([single_file(file, 10**6)], view.documents())
    app.library_collection().add(planned.additions, Call())
    uploads.remove("own", Call())
    assert names(app) == [] and file.read_text() == "# Own\n"


def test_a_document_is_read_again_although_nothing_changed(app: App, uploads: LibraryUploads, tmp_path: Path) -> None:
    add(uploads, "guide.md", b"# Guide\n")
    assert uploads.reread("guide", Call()).outcome is Outcome.REPLACED
    assert names(app) == ["guide"]
    (tmp_path / "library" / "guide.md").unlink()
    with pytest.raises(NotFound, match="is gone"):
        uploads.reread("guide", Call())


def test_nobody_may_add_files_unless_it_is_set(tmp_path: Path) -> None:
    app = App(load({"DATA_DIR": tmp_path, "PINCITE_CACHE": tmp_path}), None, toolsets=["knowledge"])
    assert app.viewer.uploads is None
    app.close()
