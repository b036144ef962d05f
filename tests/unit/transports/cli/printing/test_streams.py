import io
import sys
from pathlib import Path

import pytest

from pincite.transports.cli.printing import streams


def test_a_process_without_streams_gets_some_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    streams.open_closed()
    with sys.stdout as out, sys.stderr as err:
        assert out.write("nobody") == err.write("reads") + 1


def test_what_a_stream_still_holds_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "out"
    with file.open("w", encoding="utf-8") as stream:
        stream.write("held")
        streams.discard(stream)
    assert file.read_text(encoding="utf-8") == ""


def test_nobody_is_told_where_standard_error_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError

    monkeypatch.setattr(sys, "stderr", Full())
    streams.say("lost")
    monkeypatch.setattr(sys, "stderr", told := io.StringIO())
    streams.say("told")
    assert told.getvalue() == "told"
