import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite.transports.cli import program
from pincite.version import __version__

PAGES = (*program.COMMANDS, *(f"models {name}" for name in ("list", "fetch", "verify")))


def shown(*arguments: str) -> str:
    ran = CliRunner().invoke(program.build(), list(arguments), prog_name="pincite")
    assert ran.exit_code == 0
    return ran.output


def test_the_program_lists_its_commands() -> None:
    help_ = shown("--help")
    assert all(f"\n  {command} " in help_ for command in program.COMMANDS)


@pytest.mark.parametrize("command", PAGES)
def test_every_command_has_help_with_an_example(command: str) -> None:
    example = shown(*command.split(), "--help").partition("Example: ")[2]
    assert f"pincite {command}" in " ".join(example.split())


@pytest.mark.parametrize("command", PAGES)
def test_every_command_speaks_json_too(command: str) -> None:
    assert "--json" in shown(*command.split(), "--help")


def test_the_version_is_told(pincite: Callable[..., Any]) -> None:
    assert pincite("--version").out == f"pincite {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "command", "message"),
    [
        (["search"], "pincite search", "Missing argument 'QUERY'."),
        (["fly"], "pincite", "No such command 'fly'."),
        (["serch", "keys"], "pincite", "No such command 'serch'. Did you mean 'search'"),
        (["search", "x", "--top-k", "0"], "pincite search", "Invalid value for '--top-k' / '-k': "),
        (["serve", "--nope"], "pincite serve", "No such option: --nope"),
    ],
)
def test_wrong_usage_is_an_error_like_any_other(
    pincite: Callable[..., Any], arguments: list[str], command: str, message: str
) -> None:
    ran = pincite(*arguments)
    assert (ran.code, ran.out) == (2, "")
    first, second = ran.err.splitlines()
    assert first.startswith(f"error: {message}") and first.endswith((".", "?")) and ".." not in first
    assert second == f"       How to call it: {command} --help"


def test_a_failure_is_a_sentence_and_an_exit_code(pincite: Callable[..., Any]) -> None:
    ran = pincite("search", "x", "--docs", "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: There is no folder 'nowhere' here. Check the path.\n"


def test_a_faulty_setting_is_told_with_its_mend(pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_MAX_FILES", "many")
    monkeypatch.setenv("PINCITE_MAX_FILE", "1 TB")
    ran = pincite("status")
    assert ran.code == 3
    assert "PINCITE_MAX_FILES: " in ran.err and "PINCITE_MAX_FILE: " in ran.err


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
def test_a_fault_of_ours_is_a_sentence_too(
    pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    def broken(**_: object) -> int:
        return 1 // 0

    monkeypatch.setenv("LOG_LEVEL", level)
    monkeypatch.setattr("pincite.transports.cli.commands.doctor.Output", broken)
    ran = pincite("doctor")
    assert ran.code == 2
    assert "error: pincite failed: ZeroDivisionError" in ran.err
    assert ("Traceback" in ran.err) == (level == "DEBUG")


def test_an_interruption_is_exit_code_130(pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("pincite.transports.cli.commands.doctor.Output", interrupted)
    assert pincite("doctor").code == 130


LOST = """
import os, signal, sys, time
from pincite.runtime import signals
from pincite.transports import cli
from pincite.transports.cli.commands import doctor

class Swallowing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)

def run(**_):
    Swallowing()
    print("lost", flush=True)
    time.sleep(3600)

doctor.Output = run
signals.AGAIN_SECONDS = 0.2
sys.argv = ["pincite", "doctor"]
signal.signal(signal.SIGINT, signal.default_int_handler)
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent as signals")
def test_an_interrupt_that_is_lost_comes_again() -> None:
    ran = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (130, "lost\n")


def test_a_command_is_imported_when_it_is_called() -> None:
    code = "import sys\nfrom pincite.transports.cli.program import build\nbuild()\nprint(*sys.modules)"
    # Measuring coverage loads parts of its own.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    ran = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert not {"numpy", "onnxruntime", "mcp", "rich", "pydantic", "tokenizers", "sqlite3"} & set(loaded)


def test_without_a_command_it_says_what_to_do_first(pincite: Callable[..., Any]) -> None:
    ran = pincite()
    assert (ran.code, ran.err) == (0, "")
    shown = [line.partition(": ")[2].split()[1] for line in ran.out.splitlines() if ":  " in line]
    assert shown == ["search", "connect", "read"]
    assert "pincite --help" in ran.out


@pytest.mark.parametrize(
    ("typed", "completed"), [("pincite se", ["serve", "search", "service"]), ("pincite search --top", ["--top-k"])]
)
def test_a_shell_completes_commands_and_options(typed: str, completed: list[str]) -> None:
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_PINCITE_COMPLETE": "complete_bash"}
    command = [sys.executable, "-m", "pincite"]
    ran = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == completed
