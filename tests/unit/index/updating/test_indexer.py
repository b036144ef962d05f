"""A folder of many files is indexed with a number of looks that grows with it, and calls wait for none of that."""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pincite.index.updating import refresher
from pincite.index.updating.indexer import BATCH_DOCUMENTS
from pincite.model.store import DocumentRow, NewDocument, State
from pincite.sources.folder import FolderSource
from pincite.store.sqlite.store import SqliteStore
from pincite.tools.answers.docs import SearchAnswer
from support.serving import MakeApp, ask, files

FILES = 1500
LOOKS = 5
"""At one file in all, beside those of batches that ended before they came to it."""

BLOCKED_SECONDS = 0.5
"""How long a writer leaves time to whoever may answer before it ends its transaction."""

both_methods = pytest.mark.parametrize("watch", [True, False], ids=["inotify", "scan"])


@pytest.fixture
def many(folder: Path) -> Path:
    for number in range(FILES):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nThe word is word{number}x.\n")
    return folder


@dataclass
class Counted:
    """How often a file was looked at, and documents were written together."""

    looks: int = 0
    batches: int = 0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted = Counted()
    look, write = FolderSource.state, SqliteStore.replace

    def state(self: FolderSource, name: str) -> State | None:
        counted.looks += 1
        return look(self, name)

    def replace(self: SqliteStore, *arguments: Any, **options: Any) -> list[str]:
        counted.batches += 1
        return write(self, *arguments, **options)

    monkeypatch.setattr(FolderSource, "state", state)
    monkeypatch.setattr(SqliteStore, "replace", replace)
    return counted


@pytest.mark.usefixtures("many")
def test_a_step_of_the_run_looks_at_no_more_files_than_it_may_read(
    make_app: MakeApp, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresher, "SLICE_SECONDS", 0.1)
    app = make_app()
    app.begin()
    while (answer := ask(app, "word7x")).index is None or answer.index.stale:
        pass
    assert files(answer)[0] == "7.md"
    assert counted.looks <= LOOKS * FILES + BATCH_DOCUMENTS * counted.batches


@both_methods
def test_an_edit_of_a_page_is_in_the_next_answer_while_thousands_wait(
    many: Path, make_app: MakeApp, *, watch: bool
) -> None:
    app = make_app(PINCITE_WATCH=watch, PINCITE_BULK=5, PINCITE_FRESH_BUDGET=20)
    app.begin()
    ask(app, "word7x")
    for number in range(1000):
        (many / "0.md").write_text(f"# Page\n\nIt was edited{number}x.\n")
        answer = ask(app, f"edited{number}x")
        assert files(answer)[0] == "0.md"
        assert f"edited{number}x" in answer.results[0].content
        assert answer.index is not None
        if not answer.index.stale:
            return
    pytest.fail("the run did not end")


@pytest.mark.usefixtures("no_background", "many")
def test_an_infinite_budget_brings_everything_in(make_app: MakeApp) -> None:
    answer = ask(make_app(PINCITE_FRESH_BUDGET=math.inf), "word1499x")
    assert answer.index is not None
    assert (files(answer)[0], answer.index.stale, answer.total_chunks) == ("1499.md", False, FILES)


@pytest.mark.usefixtures("no_background", "many")
def test_a_filter_sees_documents_that_came_since_the_last_one(folder: Path, make_app: MakeApp) -> None:
    app = make_app(PINCITE_FRESH_BUDGET=math.inf)
    assert ask(app, "word7x", file_filter="7*.md").total_chunks == 111
    (folder / "7000.md").write_text("# New\n\nword7x\n")
    (folder / "7.md").unlink()
    answer = ask(app, "word7x", file_filter="7*.md")
    assert (files(answer)[0], answer.total_chunks) == ("7000.md", 111)


@pytest.mark.usefixtures("no_background")
@pytest.mark.parametrize("servers", [1, 2])
def test_a_file_that_is_deleted_while_it_is_being_written_to_the_index_is_in_no_answer(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, servers: int
) -> None:
    apps = [make_app() for _ in range(servers)]
    for app in apps:
        ask(app, "word")
    page, answers, write = folder / "fleeting.md", list[SearchAnswer](), SqliteStore.replace
    page.write_text("# Page\n\nThe word is fleetingx.\n")
    other = threading.Thread(target=lambda: answers.append(ask(apps[-1], "fleetingx")))

    def replace(self: SqliteStore, documents: Sequence[NewDocument], **options: Any) -> list[str]:
        is_current = options.pop("is_current")

        def is_current_and_deleted_then(row: DocumentRow) -> bool:
            found = is_current(row)
            if found and row.name == page.name:
                page.unlink()
                other.start()
                other.join(BLOCKED_SECONDS)
            return found

        return write(self, documents, is_current=is_current_and_deleted_then, **options)

    monkeypatch.setattr(SqliteStore, "replace", replace)
    ask(apps[0], "fleetingx")
    other.join()
    (answer,) = answers
    assert answer.index is not None and answer.index.stale is False
    assert page.name not in files(answer)
    assert page.name not in files(ask(apps[-1], "fleetingx"))
