"""The entries of the command line."""

import gc
import sys
from collections.abc import Callable

import pytest

from pincite.__main__ import knowledge_ingest, knowledge_mcp, main
from pincite.runtime.garbage import COLLECTED_OBJECTS


@pytest.mark.parametrize(
    ("entry", "command"),
    [
        (main, ["pincite", "--version"]),
        (knowledge_ingest, ["knowledge-ingest", "--help"]),
        (knowledge_mcp, ["knowledge-mcp", "--help"]),
    ],
)
def test_a_start_looks_for_garbage_seldom(
    entry: Callable[[], None], command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = gc.get_threshold()
    monkeypatch.setattr(sys, "argv", command)
    try:
        with pytest.raises(SystemExit) as ended:
            entry()
        assert gc.get_threshold()[0] == COLLECTED_OBJECTS
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
    assert not ended.value.code
    assert command[0] in capsys.readouterr().out.strip()
