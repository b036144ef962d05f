"""Files whose reader runs in another process, in an index."""

import logging
import sys
from pathlib import Path

import pytest

from pincite.app import App
from pincite.app import collections as opening
from pincite.formats.detect import sniff
from pincite.model.call import Call
from pincite.registry import FORMATS
from pincite.tools.answers.docs import StatusAnswer
from support.readers_that_fail import ROWS
from support.serving import MakeApp, ask, files
from support.waiting import wait_for

SECONDS = 30.0


@pytest.fixture(autouse=True)
def formats(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (opening, sniff):
        monkeypatch.setattr(module, "FORMATS", (*FORMATS, *ROWS.values()))


def skipped(app: App) -> dict[str, int]:
    answer = app.toolbox.call("get_status", {}, Call())
    assert isinstance(answer, StatusAnswer) and answer.index is not None
    return answer.index.skipped


def test_such_a_file_is_found_with_its_page(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.well").write_text("zebra")
    (hit, *_) = ask(make_app(), "zebra 3").results
    assert (hit.metadata.file_path, "zebra 3" in hit.content) == ("a.well", True)


@pytest.mark.usefixtures("no_background")
def test_a_file_that_crashes_its_reader_takes_nothing_else_with_it(
    folder: Path, make_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    (folder / "a.crash").write_text("zebra")
    (folder / "a.fail").write_text("zebra")
    (folder / "b.md").write_text("# Zebra\n")
    (folder / "c.well").write_text("zebra")
    app = make_app()
    answer = ask(app, "zebra")
    assert sorted(set(files(answer))) == ["b.md", "c.well"]
    assert answer.index is not None and not answer.index.stale
    assert skipped(app) == {"failed": 2}
    assert "SIGSEGV" in str([vars(record).get("problem") for record in caplog.records])


@pytest.mark.usefixtures("no_background")
def test_a_file_that_takes_longer_than_the_budget_waits_and_that_is_said(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.slow").write_text("slow")
    (folder / "b.md").write_text("# Page\n")
    app = make_app(PINCITE_FRESH_BUDGET=1.4)  # it sleeps for 1.5 s
    assert wait_for(lambda: files(ask(app, "page")) == ["b.md"])
    answer = ask(app, "page")
    assert answer.index is not None
    assert answer.index.stale
    assert "1 document waits to be read" in str(answer.index.reason)
    assert files(ask(make_app(PINCITE_FRESH_BUDGET="inf"), "page 5"))[0] == "a.slow"


def test_in_the_background_it_is_read_to_its_end(folder: Path, make_app: MakeApp) -> None:
    app = make_app(PINCITE_FRESH_BUDGET=0.5)
    (folder / "a.slow").write_text("slow")
    assert wait_for(lambda: files(ask(app, "page 5")) == ["a.slow"])


@pytest.mark.usefixtures("no_background")
def test_without_a_process_such_a_file_waits(folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.well").write_text("zebra")
    app = make_app()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        answer = ask(app, "zebra")
    assert answer.index is not None
    assert (answer.results, answer.index.stale, answer.index.pending) == ([], True, 1)
    assert files(ask(app, "zebra"))[0] == "a.well"


@pytest.mark.usefixtures("no_background")
def test_what_nobody_reads_is_a_failure_that_names_it(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_bytes(b"PK\5\6" + bytes(18))
    app = make_app()
    ask(app, "zebra")
    assert skipped(app) == {"failed": 1}
    with app.collection().store.snapshot() as snapshot:
        assert [document.failure for document in snapshot.documents()] == [
            "It is a zip archive. Unpack it and use the files in it."
        ]
