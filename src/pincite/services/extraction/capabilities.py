"""Capabilities: tokens that open some tools over some files to whoever presents them, for a short time.

A server grants one for each task and hands it to a tool server with the same DATA_DIR, which looks it up there. Only a
hash of a token is stored, so that nobody who reads the folder can present it.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from pincite.errors import WritingFailed
from pincite.runtime.private_files import make_folder
from pincite.toolkit import Scope

PREFIX = "pincite-task-"
"""How tokens begin, so that a server can tell them from its key."""

TOKEN_BYTES = 32
"""256 random bits, as for a key: a token cannot be guessed."""
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Capability:
    """What a token opens.

    Attributes:
        tools: The names of the tools.
        scope: What they may read.
    """

    tools: tuple[str, ...]
    scope: Scope


class Capabilities:
    """The capabilities of the processes that share a data folder. Thread-safe.

    Args:
        data: The folder, which each process may have at another path.
    """

    def __init__(self, data: Path) -> None:
        self._data = data.absolute()
        self._folder = self._data / "capabilities"

    def grant(self, tools: Iterable[str], collection: str, file: PurePosixPath, seconds: float) -> str:
        """Return a token that opens one file and its index.

        Args:
            tools: The names of the tools.
            collection: The name of the index, which need not be there yet.
            file: The file, relative to the data folder.
            seconds: Time after which the token opens nothing.

        Raises:
            WritingFailed: The folder cannot be written.
        """
        token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        content = {
            "tools": list(tools),
            "collection": collection,
            "file": str(file),
            "expires": time.time() + seconds,
        }
        path = self._path(token)
        try:
            make_folder(self._folder)
            self._sweep()
            temporary = path.with_suffix(".tmp")
            temporary.write_text(json.dumps(content), "utf-8")
            temporary.replace(path)
        except OSError as error:
            raise WritingFailed(
                "A task's access to the tool server cannot be stored. Check the disk of DATA_DIR and its permissions.",
                details=str(error),
            ) from error
        return token

    def find(self, token: str) -> Capability | None:
        """Return what a token opens now; None if nothing."""
        if not token.startswith(PREFIX):
            return None
        stored = _read(self._path(token))
        if stored is None or stored["expires"] < time.time():
            return None
        files = frozenset({self._data / stored["file"]})
        return Capability(tuple(stored["tools"]), Scope(frozenset({stored["collection"]}), files))

    def revoke(self, token: str) -> None:
        """Let a token open nothing any more."""
        with suppress(OSError):
            self._path(token).unlink(missing_ok=True)

    def _path(self, token: str) -> Path:
        return self._folder / f"{hashlib.sha256(token.encode('utf-8', 'replace')).hexdigest()}{_SUFFIX}"

    def _sweep(self) -> None:
        """Delete what has expired: its server died before it was revoked."""
        for path in self._folder.glob(f"*{_SUFFIX}"):
            stored = _read(path)
            if stored is not None and stored["expires"] < time.time():
                with suppress(OSError):
                    path.unlink()


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):  # revoked just now
        return None
