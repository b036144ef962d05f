"""What an older release of pincite leaves behind: a library, tasks and a folder's index, made by its own package."""

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.http_wire import HttpServer

ROOT = Path(__file__).resolve().parents[2]
MINUTES = 600.0


@dataclass(frozen=True)
class Release:
    """An installed release.

    Attributes:
        python: An interpreter with what it needs.
        source: Its `src`.
    """

    python: Path
    source: Path

    def command(self, *arguments: object) -> list[str]:
        return [str(self.python), "-m", "pincite", *map(str, arguments)]

    def run(self, *arguments: object, env: dict[str, str]) -> Any:
        """The JSON that a command prints."""
        ran = subprocess.run(
            self.command(*arguments, "--json"),
            env={**env, "PYTHONPATH": str(self.source)},
            capture_output=True,
            text=True,
            check=True,
            timeout=MINUTES,
        )
        return json.loads(ran.stdout)


def environment(folder: Path, dsn: str) -> dict[str, str]:
    """Variables of a machine of its own, for the old release and for this one; the DSN is empty for SQLite."""
    own = {"DATA_DIR": str(folder / "data"), "PINCITE_CACHE": str(folder / "cache"), "EMBEDDING_PROVIDER": "hash"}
    own |= {"PINCITE_STORE_URL": dsn} if dsn else {}
    return {**os.environ, **own, "PINCITE_FETCH_MODEL": "false", "MCP_RATE_LIMIT_RPM": "0"}


def install(tag: str, folder: Path) -> Release:
    """Install a release from its tag, with the packages of its lock; the test is skipped where that cannot be."""
    source = folder / tag
    source.mkdir(parents=True)
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of the repository")
    archived = subprocess.run(
        ["git", "archive", tag, "src", "requirements"], cwd=ROOT, capture_output=True, check=False
    )
    if archived.returncode:
        pytest.skip(f"there is no tag {tag} here: git fetch --tags")
    subprocess.run(["tar", "x"], input=archived.stdout, cwd=source, check=True)
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    locks = (source / "requirements" / f"{name}.lock" for name in ("runtime", "postgres"))
    packages = [part for lock in locks for part in ("-r", str(lock))]
    installed = subprocess.run(
        [python, "-m", "pip", "install", "-qq", "--require-hashes", *packages],
        capture_output=True, text=True, check=False, timeout=MINUTES,
    )  # fmt: skip
    if installed.returncode:
        pytest.skip(f"the packages of {tag} cannot be installed: {installed.stderr[-300:]}")
    return Release(python, source / "src")


@contextmanager
def serving(command: list[str], env: dict[str, str]) -> Generator[HttpServer]:
    """A server of the library and of tasks."""
    toolsets = "knowledge,extraction,citations"
    with HttpServer([*command, "serve", "--toolsets", toolsets, "--transport", "http"], env) as server:
        yield server


PINCITE = [sys.executable, "-m", "pincite"]
"""The command of this version."""
