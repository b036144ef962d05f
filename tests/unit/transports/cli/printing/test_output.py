import io
import json
import os
import sys

import pytest
import typer

from pincite.errors import NotFound
from pincite.transports.cli.printing import output
from pincite.transports.cli.printing.output import Output, safe


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """In the test itself: between set-up and test, pytest puts its own streams in place."""
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return screen


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    output = Output(as_json=False)
    output.line(output.style("well", "green"))
    assert terminal.getvalue() == "\x1b[32mwell\x1b[0m\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_none_gets_none(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    output = Output(as_json=False)
    output.line(output.style("well", "green"))
    with output.progress() as progress:
        progress(1, 2, "half")
    assert terminal.getvalue() == "well\n"


def test_a_pipe_gets_no_colours_and_a_note_of_long_work_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    piped = Output(as_json=False)
    piped.line(piped.style("well", "green"))
    with piped.progress() as progress:
        progress(1, 420, "guide.md")
    assert capsys.readouterr() == ("well\n", "")
    monkeypatch.setattr(output, "NOTE_SECONDS", 0)
    with piped.progress() as progress:
        progress(1000, 4200, "guide.md")
        progress(2, None, "fetching")
    assert capsys.readouterr() == ("", "note: 1,000 of 4,200: guide.md\nnote: fetching\n")


def test_a_terminal_gets_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(output, "PROGRESS_DELAY_SECONDS", 0)
    with Output(as_json=False).progress() as progress:
        progress(1, 2, "documents indexed")
    assert "1/2" in terminal.getvalue() and "documents indexed" in terminal.getvalue()


def test_an_entry_is_wrapped_between_words_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    value = "one sentence that is longer than the forty columns which this terminal has"
    monkeypatch.setenv("COLUMNS", "40")
    terminal = on_terminal(monkeypatch)
    Output(as_json=False).entry("note        ", value)
    first, *further = terminal.getvalue().replace("\x1b[2m", "").replace("\x1b[0m", "").splitlines()
    assert all(len(line) <= 40 for line in (first, *further)) and all(line.startswith(" " * 12) for line in further)
    assert " ".join(line[12:] for line in (first, *further)) == value
    monkeypatch.undo()
    Output(as_json=False).entry("note        ", value)
    assert capsys.readouterr().out == f"note        {value}\n"


def test_what_is_over_soon_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(output, "PROGRESS_DELAY_SECONDS", 60)
    with Output(as_json=False).progress() as progress:
        progress(1, 2, "documents indexed")
    assert terminal.getvalue() == ""


def test_a_second_bar_does_not_say_that_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(output, "PROGRESS_DELAY_SECONDS", 0)
    with Output(as_json=False).progress() as progress:
        progress(40, 40, "documents read")
        progress(1, 40, "documents indexed")
    last = terminal.getvalue().rpartition("1/40")[2]
    assert "0:00:00" not in last and "-:--:--" in last


def test_machines_get_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(as_json=True)
    output.line("for people")
    output.note("for people")
    output.data({"name": "é\ud800"})
    out, err = capsys.readouterr()
    assert json.loads(out) == {"name": "é\ud800"}
    assert err == ""


def test_a_problem_is_told_to_people_and_machines(capsys: pytest.CaptureFixture[str]) -> None:
    error = NotFound("There is none.", suggestion="Make one.")
    Output(as_json=False).problem(error)
    assert capsys.readouterr() == ("", "error: There is none.\n       Make one.\n")
    Output(as_json=True).problem(error)
    out, err = capsys.readouterr()
    assert json.loads(out) == {"error": {"code": "not_found", "message": "There is none.", "suggestion": "Make one."}}
    assert err.startswith("error: There is none.")


def test_what_a_document_holds_cannot_steer_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    output = Output(as_json=False)
    hostile = "a\x1b]0;owned\x07 b\x9b31m c\u202ed \ud800"
    output.line(output.marked(hostile, [(0, 1)]))
    shown = terminal.getvalue()
    assert shown.startswith("\x1b[1;33ma\x1b[0m")
    assert not set(shown.removeprefix("\x1b[1;33ma\x1b[0m")) & set("\x1b\x07\x9b\u202e\ud800")


def test_line_breaks_and_tabs_are_safe() -> None:
    assert safe("a\tb\nc") == "a\tb\nc"


def test_what_an_encoding_cannot_show_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", screen)
    Output(as_json=False).line("caf\xe9")
    assert screen.buffer.getvalue() == b"caf?\n"  # type: ignore[attr-defined]


def test_a_reader_that_has_read_enough_ends_the_command_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w", encoding="utf-8")
    monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(typer.Exit) as ended:
        Output(as_json=False).line("too late")
    assert ended.value.exit_code == 0
    sys.stdout.write("goes nowhere")
    sys.stdout.flush()
    stream.close()


def test_a_passage_is_wrapped_to_a_narrow_terminal_and_stays_behind_its_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    text = f"Rotate the signing keys every month, all of them.\n\n{'x' * 40}\nend"
    Output(as_json=False).passage(text, [(11, 18)], "   | ")
    assert terminal.getvalue().splitlines() == [
        "   | Rotate the signing keys",
        "   | every month, all of them.",
        "   |",
        f"   | {'x' * 25}",
        f"   | {'x' * 15}",
        "   | end",
    ]


def test_a_mark_over_a_break_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "25")
    Output(as_json=False).passage("Rotate the signing keys every month", [(11, 29)], "")
    assert terminal.getvalue() == "Rotate the \x1b[1;33msigning keys\x1b[0m\n\x1b[1;33mevery\x1b[0m month\n"


def test_a_pipe_gets_lines_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Output(as_json=False).passage("word " * 20, [], "   | ")
    assert capsys.readouterr().out.count("\n") == 1
