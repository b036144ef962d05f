"""A raw MCP client: JSON-RPC lines to a server process and back, in both protocol generations."""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self

import pytest

from support import fork_server

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
ERAS = (HANDSHAKE, STATELESS)
CLIENT = {"name": "wire", "version": "1"}
SECONDS = 60.0


def as_nobody() -> list[str]:
    """What runs a command as a user without rights; the test is skipped where that may not be.

    Without the coverage of its process: such a user cannot write where it is collected.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None or os.getuid() != 0:
        pytest.skip("only root may become another user, by setpriv")
    unmeasured = ["env", "-u", "COVERAGE_PROCESS_CONFIG", "-u", "COVERAGE_PROCESS_START"]
    prefix = [*unmeasured, setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*prefix, sys.executable, "-c", "import pincite"], check=False, capture_output=True).returncode:
        pytest.skip("another user may not read the interpreter here")
    return prefix


def bound_by_modes() -> list[str]:
    """What runs a command as this user, whom the modes of files bind even if it is root."""
    if os.getuid() != 0:
        return []
    setpriv, powers = shutil.which("setpriv"), "-dac_override,-dac_read_search"
    if setpriv is None:
        pytest.skip("only setpriv takes root the right to read everything")
    return [setpriv, f"--bounding-set={powers}", f"--inh-caps={powers}"]


class Refused(Exception):
    """A JSON-RPC error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Any = error.get("data")


class Wire:
    """One server process.

    Attributes:
        process: The process.
        opening: The result of `initialize` or `server/discover`, after `open`.
        notes: Notifications in the order in which they came.
        stray: Lines on standard output that are no JSON-RPC message.
        log: What the process wrote to standard error.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str] | None = None,
        *,
        era: str = HANDSHAKE,
        cwd: Path | None = None,
        start: fork_server.Start = fork_server.start,
    ) -> None:
        self.era = era
        self.notes: list[dict[str, Any]] = []
        self.stray: list[str] = []
        self.log: list[str] = []
        self.opening: dict[str, Any] = {}
        self.process = start(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd
        )
        self._answers: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}
        self._next = 0
        self._sending = threading.Lock()
        self._readers = [threading.Thread(target=t, daemon=True) for t in (self._listen, self._drain)]
        for reader in self._readers:
            reader.start()

    def open(self) -> Self:
        """Say hello."""
        if self.era == HANDSHAKE:
            hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
            self.opening = self.request("initialize", hello)
            self.send({"method": "notifications/initialized"})
        else:
            self.opening = self.request("server/discover")
        return self

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = SECONDS
    ) -> dict[str, Any]:
        """The result of a request.

        Raises:
            Refused: It is a JSON-RPC error.
        """
        return self.await_answer(self.ask(method, params), seconds)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request; its id is for `await_answer`."""
        with self._sending:
            self._next += 1
            number = self._next
        self._answers[number] = queue.SimpleQueue()
        whole = dict(params or {})
        if self.era == STATELESS:
            whole["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": CLIENT,
                "io.modelcontextprotocol/clientCapabilities": {},
                **whole.get("_meta", {}),
            }
        self.send({"id": number, "method": method, "params": whole})
        return number

    def await_answer(self, number: int, seconds: float = SECONDS) -> dict[str, Any]:
        """The result of an earlier `ask`."""
        try:
            answer = self._answers[number].get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError("".join(self.log[-20:])) from None
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, token: str | None = None
    ) -> dict[str, Any]:
        """The result of a tool call, failed ones included."""
        params: dict[str, Any] = {"name": tool, "arguments": dict(arguments or {})}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        return self.request("tools/call", params)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send any message."""
        assert self.process.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        with self._sending:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def end(self, seconds: float = SECONDS) -> int:
        """Close the input and wait for the process to end; its exit code."""
        self._close(self.process.stdin)
        return self.wait(seconds)

    def wait(self, seconds: float = SECONDS) -> int:
        """Wait for the process to end; its exit code."""
        try:
            return self.process.wait(seconds)
        finally:
            self.process.kill()
            for reader in self._readers:
                reader.join(seconds)
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                self._close(pipe)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @staticmethod
    def _close(pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        with contextlib.suppress(BrokenPipeError):
            pipe.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = {}
            try:
                message = json.loads(line)
                known = message["jsonrpc"] == "2.0"
            except (ValueError, TypeError, KeyError):
                known = False
            if not known:
                self.stray.append(line.decode("utf-8", "replace"))
            elif "id" in message and "method" not in message:
                self._answers[message["id"]].put(message)
            else:
                self.notes.append(message)
        for waiting in self._answers.values():
            waiting.put({"error": {"code": 0, "message": f"the server has gone\n{''.join(self.log[-20:])}"}})

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(line.decode("utf-8", "replace") for line in self.process.stderr)


def pincite(*arguments: str) -> list[str]:
    """The command line of pincite under this interpreter."""
    return [sys.executable, "-m", "pincite", *arguments]


Serve = Callable[..., Wire]
"""Starts a server: a command, a working directory, settings."""
