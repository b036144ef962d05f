"""Start pincite in a process that is forked from one that has imported it already.

Nearly all of the time that a server takes to start goes into imports, most of them the MCP SDK's: a second of processor
time, hundreds of times in one run of the tests. `start` is `subprocess.Popen` without that second. What is claimed of
the start itself (imports, environment of the interpreter, memory that is shared with no one) needs `subprocess.Popen`.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO, Any

HEADER, NUMBER = struct.Struct("!I"), struct.Struct("!i")
PRELOADED = ("pincite.transports.cli.commands.serve", "pincite.transports.http.server", "pincite.transports.mcp.server")
"""What servers import; nothing of it may start a thread, as a fork keeps one alone."""

PREFIXES = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "COVERAGE_", "TZ")
"""Variables that are read when an interpreter starts: a process that is given others than this one's is not forked."""


class Forked(subprocess.Popen[bytes]):
    """A process of the fork server; it has no `communicate`."""

    def __init__(self, command: Sequence[str], status: socket.socket, pipes: Mapping[str, IO[bytes] | None]) -> None:
        self.args = command
        self.stdin, self.stdout, self.stderr = (pipes.get(name) for name in ("stdin", "stdout", "stderr"))
        self.returncode: int | None = None
        self._status = status
        self._reading = threading.Lock()
        self.pid = self._number(None) or 0

    def __del__(self) -> None:
        """Leave the process alone, as it is not a child of this one."""
        self._status.close()

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended; negative for a signal."""
        with self._reading:
            if self.returncode is None:
                code = self._number(timeout)
                if code is None:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
                self.returncode = code
                self._status.close()
            return self.returncode

    def _number(self, timeout: float | None) -> int | None:
        self._status.settimeout(timeout)
        try:
            data = self._status.recv(NUMBER.size)
        except (TimeoutError, BlockingIOError):
            return None
        if not data:
            raise ChildProcessError("The fork server has ended.")
        return NUMBER.unpack(data)[0]


class ForkServer:
    """A process that has imported pincite, and forks."""

    def __init__(self, environment: Collection[tuple[str, str]]) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            # Without the variables that pincite's own import has set in this process, to see which these are.
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                command, pass_fds=[theirs.fileno()], env={"PATH": os.defpath, **dict(environment)}, **pipes
            )
        atexit.register(self.close)

    def start(
        self, command: Sequence[str], env: Mapping[str, str], cwd: Path | None, given: Mapping[str, int | None]
    ) -> Forked:
        """Start a command; `given` has a descriptor or `PIPE` for each standard stream that is not inherited."""
        ours: dict[str, IO[bytes] | None] = {}
        theirs: list[int] = []
        opened: list[int] = []
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            descriptor = given.get(name)
            if descriptor == subprocess.PIPE:
                read, write = os.pipe()
                descriptor, kept = (read, write) if name == "stdin" else (write, read)
                ours[name] = os.fdopen(kept, "wb" if name == "stdin" else "rb")
                opened.append(descriptor)
            theirs.append(number if descriptor is None else descriptor)
        status, its = socket.socketpair()
        with its:
            message = {"command": [*command], "env": dict(env), "cwd": str(cwd or Path.cwd())}
            data = json.dumps(message).encode()
            with self._lock:
                socket.send_fds(self._control, [HEADER.pack(len(data))], [*theirs, its.fileno()])
                self._control.sendall(data)
        for descriptor in opened:
            os.close(descriptor)
        return Forked(command, status, ours)

    def close(self) -> None:
        """End it; what it has started goes on."""
        self._control.close()
        self._process.communicate()


_server = functools.cache(ForkServer)
"""One for all of this process's variables of the interpreter, and one for each part of them that a test leaves."""

Start = Callable[..., "subprocess.Popen[bytes]"]
"""`start`, or `subprocess.Popen` itself."""


def start(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    **streams: int | None,
) -> "subprocess.Popen[bytes]":
    """Start a process as `subprocess.Popen` does, forked where that makes no difference.

    Args:
        command: The command.
        env: Its environment; that of this process if None.
        cwd: Its working folder; that of this process if None.
        streams: `stdin`, `stdout`, `stderr`: a descriptor or `subprocess.PIPE`.
    """
    given = dict(os.environ if env is None else env)
    variables = _of_interpreter(given)
    if _can_fork(command) and variables <= _of_interpreter(os.environ):
        return _server(variables).start(command, given, cwd, streams)
    return subprocess.Popen(command, env=env, cwd=cwd, **streams)  # type: ignore[call-overload]


def run(
    command: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, seconds: float = 60.0
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, without input, and capture its output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = start(command, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=out.fileno(), stderr=err.fileno())
        assert process.stdin is not None
        process.stdin.close()
        try:
            code = process.wait(seconds)
        except BaseException:
            process.kill()
            process.wait()
            raise
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess([*command], code, out.read().decode(), err.read().decode())


def _can_fork(command: Sequence[str]) -> bool:
    """Return True, in a test, for a module or a script that this interpreter runs without options of its own."""
    if "PYTEST_VERSION" not in os.environ:  # a benchmark measures what users start
        return False
    is_ours = len(command) > 1 and command[0] == sys.executable
    return is_ours and sys.platform == "linux" and (command[1] == "-m" or command[1].endswith(".py"))


def _of_interpreter(environment: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in environment.items() if name.startswith(PREFIXES))


def _preload() -> None:
    """Import what servers import, and check that no thread was started."""
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    assert os.listdir("/proc/self/task") == [str(os.getpid())]  # noqa: PTH208 - names alone


def _serve(control: socket.socket) -> Callable[[Mapping[str, str]], None] | None:
    """Fork at each request; return what a forked process is to run, or None once nobody is left who asks."""
    running: dict[int, socket.socket] = {}
    woken, wake = socket.socketpair()
    wake.setblocking(False)  # noqa: FBT003 - its only parameter
    signal.signal(signal.SIGCHLD, _ignore)
    signal.set_wakeup_fd(wake.fileno())
    with selectors.DefaultSelector() as selector, control, woken, wake:
        selector.register(control, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            if woken in ready:
                woken.recv(4096)
                _report_ended(running)
            if control not in ready:
                continue
            header, descriptors, _, _ = socket.recv_fds(control, HEADER.size, 4)
            if not header:
                return None
            request = json.loads(_read(control, HEADER.unpack(header)[0]))
            pid = os.fork()
            if not pid:
                break
            *streams, status = descriptors
            for descriptor in streams:
                os.close(descriptor)
            running[pid] = socket.socket(fileno=status)
            running[pid].sendall(NUMBER.pack(pid))
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for status in running.values():
        status.close()
    return functools.partial(_run, request, descriptors)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Let the descriptor of `set_wakeup_fd` tell of the signal: one that is ignored is not told at all."""


def _report_ended(running: dict[int, socket.socket]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with running.pop(pid) as reported, contextlib.suppress(OSError):  # nobody may be left who waits for it
            reported.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _read(control: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        data += control.recv(length - len(data))
    return data


def _run(request: Mapping[str, Any], descriptors: Sequence[int], defaults: Mapping[str, str]) -> None:
    """Be the process that was asked for; `defaults` are the variables that imports set where they are not set."""
    for number, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, number)
    for descriptor in descriptors:
        os.close(descriptor)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update({**defaults, **request["env"]})
    time.tzset()
    what, *arguments = request["command"][1:]
    if what == "-m":
        module, *arguments = arguments
        sys.argv = [module, *arguments]
        sys.path.insert(0, request["cwd"])
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        sys.argv = [what, *arguments]
        sys.path.insert(0, str(Path(what).parent))
        runpy.run_path(what, run_name="__main__")


def main() -> None:
    """Serve the test process at the other end of the descriptor that is named."""
    del sys.path[0]
    before = dict(os.environ)
    _preload()
    defaults = {name: value for name, value in os.environ.items() if name not in before}
    program = _serve(socket.socket(fileno=int(sys.argv[1])))
    if program is not None:
        program(defaults)


if __name__ == "__main__":
    main()
