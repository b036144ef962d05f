"""Every call answers from what was on disk when it arrived, or says that it may not."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from pincite.errors import NotFound, TimeoutExceeded
from pincite.index.updating import refresher
from pincite.model.call import Call
from pincite.store.sqlite.store import SqliteStore
from support.serving import MakeApp, ask, files

both_methods = pytest.mark.parametrize("watch", [True, False], ids=["inotify", "scan"])


@both_methods
def test_each_kind_of_change_is_in_the_very_next_answer(folder: Path, make_app: MakeApp, *, watch: bool) -> None:
    (folder / "a.md").write_text("# Alpha\n\nThe quick zebra.\n")
    app = make_app(PINCITE_WATCH=watch)
    assert files(ask(app, "zebra")) == ["a.md"]

    (folder / "a.md").write_text("# Alpha\n\nThe slow walrus.\n")
    answer = ask(app, "walrus")
    assert "walrus" in answer.results[0].content
    assert answer.index is not None and not answer.index.stale

    (folder / "b.md").write_text("# Beta\n\nA pelican.\n")
    assert files(ask(app, "pelican"))[0] == "b.md"

    (folder / "b.md").rename(folder / "c.md")
    assert "b.md" not in files(ask(app, "pelican"))
    assert files(ask(app, "pelican"))[0] == "c.md"

    (folder / "c.md").unlink()
    assert files(ask(app, "pelican")) == ["a.md"]


@both_methods
def test_a_restored_file_with_an_older_time_is_noticed(folder: Path, make_app: MakeApp, *, watch: bool) -> None:
    page = folder / "a.md"
    page.write_text("# Alpha\n\nnew text\n")
    app = make_app(PINCITE_WATCH=watch)
    ask(app, "text")
    old = folder.parent / "old.md"
    old.write_text("# Alpha\n\nold text\n")
    os.utime(old, (1_000_000, 1_000_000))
    old.replace(page)
    answer = ask(app, "text")
    assert "old text" in answer.results[0].content
    assert answer.results[0].metadata.last_modified == "1970-01-12T13:46:40.000Z"


@both_methods
def test_a_rewrite_with_the_same_size_and_time_is_noticed(folder: Path, make_app: MakeApp, *, watch: bool) -> None:
    page = folder / "a.md"
    page.write_text("# Alpha\n\naaaa\n")
    app = make_app(PINCITE_WATCH=watch)
    ask(app, "aaaa")
    for word in ("bbbb", "cccc", "dddd"):
        stat = page.stat()
        page.write_text(f"# Alpha\n\n{word}\n")
        os.utime(page, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert word in ask(app, word).results[0].content


@pytest.mark.usefixtures("no_background")
def test_what_does_not_fit_the_budget_is_declared_and_left_out(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nzebra\n")
    (folder / "b.md").write_text("# Beta\n\nzebra\n")
    with_time = make_app()
    ask(with_time, "zebra")
    with_time.close()

    (folder / "a.md").write_text("# Alpha\n\nwalrus\n")
    hurried = make_app(PINCITE_FRESH_BUDGET=0)
    answer = ask(hurried, "zebra")
    assert files(answer) == ["b.md"]
    assert answer.index is not None
    assert (answer.index.stale, answer.index.pending) == (True, 1)
    assert answer.index.reason and "1 document waits" in answer.index.reason
    with pytest.raises(TimeoutExceeded, match="just changed"):
        hurried.toolbox.call("get_page", {"file_path": "a.md"}, Call())


def test_a_folder_that_vanishes_makes_answers_stale_and_loses_nothing(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nzebra\n")
    app = make_app()
    ask(app, "zebra")
    away = folder.with_name("away")
    folder.rename(away)
    answer = ask(app, "zebra")
    assert files(answer) == ["a.md"]
    assert answer.index is not None and answer.index.stale
    assert str(folder) not in (answer.index.reason or "")

    (away / "b.md").write_text("# Beta\n\nwalrus\n")
    away.rename(folder)
    answer = ask(app, "walrus")
    assert files(answer)[0] == "b.md"
    assert answer.index is not None and not answer.index.stale


def test_two_servers_of_one_folder_each_see_every_change(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nzebra\n")
    first, second = make_app(), make_app()
    for number in range(20):
        (folder / "a.md").write_text(f"# Alpha\n\nnumber{number}\n")
        for app in (first, second) if number % 2 else (second, first):
            answer = ask(app, f"number{number}")
            assert f"number{number}" in answer.results[0].content
            assert answer.index is not None and not answer.index.stale


def test_calls_beside_an_editor_never_quote_what_is_gone(folder: Path, make_app: MakeApp) -> None:
    for name in ("a", "b", "c", "d"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nround 0\n")
    app = make_app()
    ask(app, "round")
    wrong: list[str] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            answer = ask(app, "round", top_k=20)
            if len(answer.results) != 4 and not (answer.index and answer.index.stale):
                wrong.append(str(answer))

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(1, 40):
        for name in ("a", "b", "c", "d"):
            replacement = folder / f".{name}.tmp"
            replacement.write_text(f"# {name}\n\nround {number}\n")
            replacement.replace(folder / f"{name}.md")
        answer = ask(app, "round", top_k=20)
        assert {hit.content.split()[-1] for hit in answer.results} == {str(number)}
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_deleted_folder_tree_disappears_at_once(folder: Path, make_app: MakeApp) -> None:
    for number in range(100):
        page = folder / "deep" / str(number % 7) / f"{number}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nzebra\n")
    (folder / "kept.md").write_text("# Kept\n\nzebra\n")
    app = make_app()
    assert ask(app, "zebra").total_chunks == 101
    shutil.rmtree(folder / "deep")
    answer = ask(app, "zebra")
    assert files(answer) == ["kept.md"]
    assert answer.total_chunks == 1


def test_the_index_is_tidied_again_after_many_changes(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresher, "TIDY_GENERATIONS", 1)
    tidied = threading.Semaphore(0)
    tidy = SqliteStore.tidy

    def counted(store: SqliteStore, *, spare: int) -> int:
        assert spare == 7
        tidied.release()
        return tidy(store, spare=spare)

    monkeypatch.setattr(SqliteStore, "tidy", counted)
    app = make_app(PINCITE_WATCH=True, PINCITE_RESCAN=1, PINCITE_UNUSED_VECTORS=7)
    for word in ("zebra", "walrus"):
        (folder / "a.md").write_text(f"# Alpha\n\nThe quick {word}.\n")
        ask(app, word)
        assert tidied.acquire(timeout=60), word


def test_memory_is_returned_once_background_work_has_ended(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nThe quick zebra.\n")
    app, pending, returned = make_app(PINCITE_FRESH_BUDGET=0), list[int](), threading.Event()

    def note() -> None:
        pending.append(app.collection().store.waiting_documents())
        returned.set()

    monkeypatch.setattr(refresher, "return_freed_memory", note)
    app.begin()
    assert returned.wait(30)
    assert pending == [0]
    assert len(files(ask(app, "zebra"))) == 5


def long_ago(_: object) -> float:
    return -1e9


def ignore(_: object, __: float) -> None:
    """Keep what is said above."""


def test_the_first_search_waits_for_the_words_that_another_thread_brings_in(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(80):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nThe quick zebra.\n")
    monkeypatch.setattr(refresher, "START_SECONDS", 1.0)
    app = make_app(PINCITE_BULK=2)
    # As if the thread had been at work for longer than calls do bulk work beside it.
    monkeypatch.setattr(refresher.Refresher, "_started_at", property(long_ago, ignore), raising=False)
    app.begin()
    assert ask(app, "zebra").total_chunks == 80


def test_another_model_or_policy_reindexes_by_itself(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\n" + "\n\n".join(f"Paragraph {i} about zebras." for i in range(60)))
    first = make_app()
    before = ask(first, "zebras").total_chunks
    first.close()
    second = make_app(PINCITE_CHUNK_TOKENS=64)
    assert ask(second, "zebras").total_chunks > before


def test_a_page_that_cannot_be_read_is_counted_and_says_why(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n")
    (folder / "binary.md").write_bytes(b"\x00\x01\x02" * 2000)
    app = make_app()
    ask(app, "alpha")
    with pytest.raises(NotFound, match=r"binary\.md could not be read"):
        app.toolbox.call("get_page", {"file_path": "binary.md"}, Call())
    status = app.toolbox.call("get_status", {}, Call()).model_dump()
    assert status["index"]["skipped"]["failed"] == 1
    assert status["index"]["total_pages"] == 1


@pytest.mark.usefixtures("no_background")
def test_a_long_page_that_does_not_fit_the_budget_waits_and_that_is_said(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nzebra\n")
    ask(make_app(), "zebra")
    hurried = make_app(PINCITE_FRESH_BUDGET=0.3)
    ask(hurried, "zebra")
    long = "# Beta\n\n" + "A zebra among many words. " * 150_000
    (folder / "b.md").write_text(long)
    answer = ask(hurried, "zebra")
    assert files(answer) == ["a.md"]
    assert answer.index is not None
    assert (answer.index.stale, answer.index.pending) == (True, 1)


def test_beside_a_long_page_small_edits_are_in_the_next_answer(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nzebra\n")
    app = make_app()
    ask(app, "zebra")
    (folder / "b.md").write_text("# Beta\n\n" + "A zebra among many words. " * 100_000)
    for number in range(1000):
        (folder / "a.md").write_text(f"# Alpha\n\nedited{number}x\n")
        answer = ask(app, f"edited{number}x")
        if answer.index is not None and not answer.index.stale:
            assert files(answer)[0] == "a.md"
            assert answer.total_chunks > 1000
            return
    pytest.fail("the long page was never read")
