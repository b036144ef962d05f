"""The entry of the command line."""

import gc
import sys

import pytest

from pincite.__main__ import main
from pincite.runtime.garbage import COLLECTED_OBJECTS


def test_a_start_looks_for_garbage_seldom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    before = gc.get_threshold()
    monkeypatch.setattr(sys, "argv", ["pincite", "--version"])
    try:
        with pytest.raises(SystemExit) as ended:
            main()
        assert gc.get_threshold()[0] == COLLECTED_OBJECTS
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
    assert not ended.value.code
    assert capsys.readouterr().out.strip()
