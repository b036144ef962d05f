"""Reader processes under the real program: started by it, silent on its wire, gone with it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.decks import Deck
from support.pictures import picture
from support.reader_pool import is_running
from support.waiting import wait_for
from support.wire import Wire

SECONDS = 60.0
PROGRAM = """
import sys
sys.path[:] = {path!r}
from support.readers_that_fail import ROWS
from pincite import registry
from pincite.runtime.entry_points import Table
registry.FORMATS = Table("pincite.tests", (*registry.FORMATS, *ROWS.values()))
from pincite.transports.cli import main
main()
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    own = {"HOME": str(tmp_path), "PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}
    return {**os.environ, **own, "PINCITE_MODEL_GRACE": "inf", "PINCITE_FRESH_BUDGET": "inf"}


def command(*arguments: str | Path) -> list[str]:
    """pincite, with the formats of `readers_that_fail`."""
    return [sys.executable, "-c", PROGRAM.format(path=sys.path), *map(str, arguments)]


def test_what_a_reader_prints_never_meets_the_protocol(docs: Path, environment: dict[str, str]) -> None:
    for name in ("a.chatter", "a.crash", "a.fail", "a.well"):
        (docs / name).write_text("zebra", encoding="utf-8")
    with Wire(command("serve", docs), environment) as wire:
        wire.open()
        answer = wire.call("search_docs", {"query": "zebra"})["structuredContent"]
        assert {hit["metadata"]["file_path"] for hit in answer["results"]} >= {"a.chatter", "a.well"}
        status = wire.call("get_status")["structuredContent"]
        assert status["index"]["skipped"] == {"failed": 2}
    assert wire.stray == []
    assert not [line for line in wire.log if "descriptor" in line or "standard output" in line]


@pytest.mark.parametrize("kill", [False, True])
def test_its_readers_are_gone_with_it(docs: Path, environment: dict[str, str], kill: bool) -> None:
    mark = docs.parent / "mark"
    (docs / "a.hang").write_text(str(mark), encoding="utf-8")
    with Wire(command("serve", docs), environment) as wire:
        wire.open()
        wire.ask("tools/call", {"name": "search_docs", "arguments": {"query": "zebra"}})
        assert wait_for(lambda: mark.is_file() and bool(mark.read_text(encoding="utf-8")))
        reader = int(mark.read_text(encoding="utf-8"))
        assert is_running(reader)
        (wire.process.kill if kill else wire.process.terminate)()
        wire.wait()
    assert wait_for(lambda: not is_running(reader))


def test_a_document_is_converted_in_another_process(docs: Path, environment: dict[str, str]) -> None:
    (docs / "a.well").write_text("zebra", encoding="utf-8")
    ran = subprocess.run(
        command("convert", docs / "a.well", "--json"), env=environment, capture_output=True, text=True, check=True
    )
    answer = json.loads(ran.stdout)
    assert (answer["markdown"], answer["coverage"]["read"]) == ("zebra 1\nzebra 2\nzebra 3\n", 3)
    assert [block["page"] for block in answer["blocks"]] == [1, 2, 3]


def test_limits_of_reading_are_settings(docs: Path, environment: dict[str, str]) -> None:
    (docs / "b.png").write_bytes(picture())
    environment |= {"PINCITE_MAX_PIXELS": "3"}
    ran = subprocess.run(
        command("convert", docs / "b.png"), env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "more than 3" in ran.stderr
    deck = Deck()
    for title in ("A", "B"):
        deck.slide(title)
    (docs / "c.pptx").write_bytes(deck.saved())
    environment |= {"PINCITE_MAX_PAGES": "1"}
    ran = subprocess.run(
        command("convert", docs / "c.pptx", "--json"), env=environment, capture_output=True, text=True, check=False
    )
    assert json.loads(ran.stdout)["coverage"]["limits_hit"] == ["max_pages"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.crash", "error: The file crashed its reader (SIGSEGV).\n"),
        ("a.fail", "error: The file could not be read: its reader failed (KeyError). It may be damaged.\n"),
        ("a.refuse", "error: It is of another planet.\n       Fly there.\n"),
    ],
)
def test_a_reader_that_fails_is_one_sentence_and_exit_code_two(
    docs: Path, environment: dict[str, str], name: str, said: str
) -> None:
    (docs / name).write_text("zebra", encoding="utf-8")
    ran = subprocess.run(command("convert", docs / name), env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)
