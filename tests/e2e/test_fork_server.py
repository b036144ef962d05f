"""The tests' fork server: what it starts is, for its client, a process like any other."""

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support import fork_server, http_wire
from support.wire import pincite

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers are forked on Linux alone")

REPORT = """
import json, os, sys
print(json.dumps([sys.argv[1:], os.getcwd(), os.environ.get("MARK"), sys.path[0], sys.stdin.read(), __name__]))
print("an error", file=sys.stderr)
sys.exit(7)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "report.py").write_text(REPORT)
    return tmp_path / "report.py"


@pytest.fixture(params=[fork_server.start, subprocess.Popen], ids=["forked", "executed"])
def start(request: pytest.FixtureRequest) -> Iterator[fork_server.Start]:
    return request.param


def run(start: fork_server.Start, command: list[str], cwd: Path, **env: str) -> tuple[int, str, str]:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with start(command, env={**os.environ, **env}, cwd=cwd, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"the input")
        process.stdin.close()
        out, err = process.stdout.read().decode(), process.stderr.read().decode()
        return process.wait(60), out, err


def test_it_has_arguments_environment_folder_and_streams_of_its_own(
    start: fork_server.Start, script: Path, tmp_path: Path
) -> None:
    code, out, err = run(start, [sys.executable, str(script), "ä", "--b"], tmp_path, MARK="x" * 100_000)
    assert (code, err) == (7, "an error\n")
    expected = [["ä", "--b"], str(tmp_path), "x" * 100_000, str(script.parent), "the input", "__main__"]
    assert json.loads(out) == expected


def test_a_module_is_run_as_by_the_interpreter(start: fork_server.Start, tmp_path: Path) -> None:
    code, out, _ = run(start, pincite("--version"), tmp_path)
    assert code == 0 and out.startswith("pincite ")


def test_a_signal_ends_it_and_is_reported(start: fork_server.Start, tmp_path: Path) -> None:
    (tmp_path / "wait.py").write_text("import time; print(flush=True); time.sleep(60)")
    process = start([sys.executable, str(tmp_path / "wait.py")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as output:
        output.readline()
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        process.kill()
        assert process.wait(60) == process.poll() == -signal.SIGKILL


def test_a_server_that_is_never_ready_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def recording(command: Sequence[str], **options: Any) -> "subprocess.Popen[bytes]":
        started.append(fork_server.start(command, **options))
        return started[-1]

    started: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(http_wire, "SECONDS", 2.0)
    (tmp_path / "mute.py").write_text("import time; time.sleep(60)")
    with pytest.raises(queue.Empty):
        http_wire.HttpServer([sys.executable, str(tmp_path / "mute.py")], os.environ, start=recording)
    assert [process.wait(60) for process in started] == [-signal.SIGKILL]


@pytest.mark.parametrize(
    ("command", "env"),
    [(["true"], {}), ([sys.executable, "-c", ""], {}), (pincite("--version"), {"PYTHONUTF8": "1"})],
    ids=["another program", "an option", "an environment of its interpreter"],
)
def test_what_a_fork_would_change_is_executed(command: list[str], env: dict[str, str]) -> None:
    with fork_server.start(command, env={**os.environ, **env}, stdout=subprocess.PIPE) as process:
        assert not isinstance(process, fork_server.Forked)


def test_it_is_forked_without_a_variable_that_this_interpreter_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    (tmp_path / "seed.py").write_text("import os; print(os.environ.get('PYTHONHASHSEED'), os.environ['MARK'])")
    for env, printed in ({"MARK": "x", "PYTHONHASHSEED": "1"}, b"1 x\n"), ({"MARK": "x"}, b"None x\n"):
        with fork_server.start([sys.executable, str(tmp_path / "seed.py")], env=env, stdout=subprocess.PIPE) as process:
            assert isinstance(process, fork_server.Forked) and process.stdout is not None
            assert process.stdout.read() == printed
