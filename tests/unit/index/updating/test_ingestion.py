"""Documents added to a library: what is read again, what is kept, and that it outlives its files."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pincite.app import App
from pincite.app import collections as opening
from pincite.errors import Cancelled, InternalError
from pincite.formats.detect import sniff
from pincite.index.collection import Collection, Spec
from pincite.index.updating.ingestion import Addition, Outcome
from pincite.model.call import Call
from pincite.model.locator import Ref
from pincite.registry import FORMATS, SOURCES, find, load
from pincite.sources.base import Source, SourceDocument
from pincite.sources.library import CHANGED, GONE
from support.serving import MakeApp, shelf
from support.waiting import wait_for

Library = Callable[[], Collection]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    root = tmp_path / "standards"
    root.mkdir()
    (root / "keys.md").write_text("# Keys\n\nKeys shall be rotated.\n")
    (root / "vault.md").write_text("# Vault\n\nThe vault shall be locked.\n")
    return root


@pytest.fixture
def source(files: Path) -> Source:
    """What reads the files, as the one who adds them does."""
    return load(find(SOURCES, "folder"))(
        root=files, extensions={".md": True, ".docx": False}, max_text_bytes=10**6, max_other_bytes=10**6, max_files=9
    )


@pytest.fixture
def library(folder: Path, files: Path, tmp_path: Path, make_app: MakeApp) -> Library:
    """Opens the library in a server of its own, each time it is called."""
    assert folder.is_dir()
    spec = Spec("standards", "library", files, "library standards", tmp_path / "data" / "library.db")
    spec.location.parent.mkdir()

    def opened() -> Collection:
        app: App = make_app(PINCITE_FRESH_BUDGET="inf")
        return shelf(app).open(spec)

    return opened


def additions(source: Source, files: Path, *names: str) -> Iterator[Addition]:
    """Files by the names of their documents, which end in no extension."""
    for name in names:
        yield Addition(name.partition(".")[0], str(files / name), partial(source.read, name))


def found(library: Collection, query: str) -> list[str]:
    with library.view(Call(), semantic=True) as view:
        return [hit.chunk.document for hit in view.search(Call(), query, 1).hits]


def texts(library: Collection) -> dict[str, str]:
    with library.view(Call(), semantic=False) as view:
        return {document.name: view.text(document) for document in view.documents()}


def warnings(library: Collection) -> tuple[str, ...]:
    with library.view(Call(), semantic=False) as view:
        return view.status(Call()).warnings


@pytest.fixture
def filled(library: Library, source: Source, files: Path) -> Collection:
    collection = library()
    # Right after it was written, a file's state may not tell the next change: such a state is not compared.
    assert wait_for(lambda: all(source.read(name).is_settled for name in ("keys.md", "vault.md")))
    collection.add(additions(source, files, "keys.md", "vault.md"), Call())
    return collection


def test_what_is_added_is_searched_read_and_cited(filled: Collection) -> None:
    assert found(filled, "locked vault") == ["vault"]
    with filled.view(Call(), semantic=False) as view:
        document = view.document("vault")
        cited = view.resolve(Ref("vault", document.revision, "h1-c1"))
        assert view.text(document, *cited.span) == "# Vault\n\nThe vault shall be locked.\n"
        assert view.freshness.stale is False and warnings(filled) == ()


def test_what_is_the_same_is_not_read_again(filled: Collection, source: Source, files: Path) -> None:
    (files / "vault.md").write_text("# Vault\n\nThe vault shall be open.\n")
    report = filled.add(additions(source, files, "keys.md", "vault.md"), Call())
    assert (report.added, report.replaced, report.unchanged, report.failed) == ([], ["vault"], ["keys"], {})
    assert found(filled, "open vault") == ["vault"] and "open" in texts(filled)["vault"]


def test_a_file_that_is_saved_without_a_change_is_the_same_afterwards(
    filled: Collection, source: Source, files: Path
) -> None:
    revision = {name: ref.revision for name, ref in refs(filled).items()}
    (files / "keys.md").write_text("# Keys\n\nKeys shall be rotated.\n")
    assert len(warnings(filled)) == 1
    filled.add(additions(source, files, "keys.md"), Call())
    assert warnings(filled) == () and {name: ref.revision for name, ref in refs(filled).items()} == revision


def refs(library: Collection) -> dict[str, Ref]:
    with library.view(Call(), semantic=False) as view:
        return {document.name: Ref(document.name, document.revision, "h1") for document in view.documents()}


def test_what_cannot_be_read_changes_nothing(filled: Collection, source: Source, files: Path) -> None:
    before = texts(filled)
    (files / "keys.md").write_bytes(b"\0" * 5000)
    (files / "new.docx").write_bytes(b"PK\x03\x04 no document")
    report = filled.add(additions(source, files, "keys.md", "new.docx", "gone.md"), Call())
    assert list(report.failed) == ["keys", "new", "gone"] and all(report.failed.values())
    assert texts(filled) == before


def test_a_library_whose_files_are_gone_keeps_its_documents_and_says_so(
    filled: Collection, library: Library, files: Path
) -> None:
    before, cited = texts(filled), refs(filled)
    (files / "keys.md").unlink()
    assert warnings(filled) == ("The files of 1 of 2 documents are gone. The documents are kept as they were added.",)
    (files / "vault.md").unlink()
    files.rmdir()
    again = library()
    assert texts(again) == before and found(again, "locked vault") == ["vault"]
    assert warnings(again) == ("The files of 2 of 2 documents are gone. The documents are kept as they were added.",)
    with again.view(Call(), semantic=False) as view:
        assert view.resolve(cited["keys"]).current


def test_after_an_upgrade_files_that_are_the_same_are_read_again_and_others_kept(
    filled: Collection, library: Library, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, kept = texts(filled), refs(filled)
    (files / "keys.md").unlink()
    table = tuple(replace(row, version=row.version + 1) if row.name == "markdown" else row for row in FORMATS)
    for module in (opening, sniff):
        monkeypatch.setattr(module, "FORMATS", table)
    again = library()
    assert texts(again) == before
    assert refs(again)["keys"] == kept["keys"] and refs(again)["vault"] != kept["vault"]


def test_what_was_added_before_a_call_ended_stays(library: Library, source: Source, files: Path) -> None:
    call, collection = Call(), library()

    def ending() -> Iterator[Addition]:
        yield from additions(source, files, "keys.md")
        call.stop.set()
        yield from additions(source, files, "vault.md")

    with pytest.raises(Cancelled):
        collection.add(ending(), call)
    assert list(texts(collection)) == ["keys"]


def test_nothing_is_added_to_a_folder(folder: Path, make_app: MakeApp, source: Source, files: Path) -> None:
    assert folder.is_dir()
    with pytest.raises(InternalError):
        make_app().collection().add(additions(source, files, "keys.md"), Call())


def test_answers_say_that_a_file_changed_or_is_gone_since_it_was_added(filled: Collection, files: Path) -> None:
    (files / "keys.md").write_text("# Keys\n\nKeys shall be kept for a year.\n")
    (files / "vault.md").unlink()
    with filled.view(Call(), semantic=False) as view:
        assert view.freshness.stale and view.freshness.pending == 2
        assert view.freshness.reason == "The files of 2 documents changed or are gone since they were added."
        assert view.shortfall(view.document("keys")) == CHANGED
        assert view.shortfall(view.document("vault")) == GONE


def outcomes(library: Collection, *chosen: Addition) -> list[tuple[str, Outcome]]:
    return [(added.addition.name, added.outcome) for added in library.ingestion.each(chosen, Call())]


def test_a_file_of_the_same_state_is_not_even_read(filled: Collection, source: Source, files: Path) -> None:
    def unreadable() -> SourceDocument:
        raise AssertionError

    state = source.state("keys.md")
    assert state is not None
    same = Addition("keys", str(files / "keys.md"), unreadable, state)
    assert outcomes(filled, same) == [("keys", Outcome.UNCHANGED)]


def test_the_same_bytes_are_kept_and_the_new_state_or_file_is_noted(
    filled: Collection, source: Source, files: Path
) -> None:
    (keys,) = additions(source, files, "keys.md")
    (files / "keys.md").write_text("# Keys\n\nKeys shall be rotated.\n")
    with filled.view(Call(), semantic=False) as view:
        assert view.freshness.stale
    assert outcomes(filled, keys) == [("keys", Outcome.UNCHANGED)]
    (files / "keys.md").rename(files / "moved.md")
    moved = replace(keys, source_key=str(files / "moved.md"), read=partial(source.read, "moved.md"))
    assert outcomes(filled, moved) == [("keys", Outcome.UNCHANGED)]
    with filled.view(Call(), semantic=False) as view:
        assert not view.freshness.stale
        assert view.document("keys").source_key == str(files / "moved.md")


def test_what_is_forced_is_read_and_written_again(filled: Collection, source: Source, files: Path) -> None:
    (keys,) = additions(source, files, "keys.md")
    assert outcomes(filled, replace(keys, forced=True)) == [("keys", Outcome.REPLACED)]


def test_a_preview_cuts_documents_and_writes_nothing(library: Library, source: Source, files: Path) -> None:
    collection = library()
    chosen = additions(source, files, "keys.md", "gone.md")
    (keys, gone) = (new for _, new in collection.ingestion.preview(chosen, Call()))
    assert [chunk.text for chunk in keys.chunks] == ["# Keys\n\nKeys shall be rotated.\n"]
    assert gone.row.failure and not gone.chunks
    assert texts(collection) == {}


def test_what_is_removed_is_no_longer_found(filled: Collection, files: Path) -> None:
    filled.ingestion.remove([str(files / "keys.md")])
    assert list(texts(filled)) == ["vault"]
