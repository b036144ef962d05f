"""Servers of this machine that have a web page, so that other commands can link to it."""

import contextlib
import json
import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import cast

from pincite.app import App
from pincite.runtime.private_files import make_folder, opener
from pincite.settings import Settings


@contextlib.contextmanager
def announced(app: App) -> Generator[Callable[[str], None]]:
    """Return what lets other commands find the web page of a server, by its URL, until the end of a `with` block.

    One whose note cannot be written is not found, since links are a convenience.
    """
    note = _folder(app.settings) / f"{os.getpid()}.json"

    def announce(url: str) -> None:
        with contextlib.suppress(OSError):
            make_folder(note.parent)
            with open(note, "w", encoding="utf-8", opener=opener) as file:
                json.dump({"page": f"{url}/ui/", "indexes": _indexes(app)}, file)

    try:
        yield announce
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)


def page_of(app: App) -> str:
    """Return the address of the web page of a running server that serves the same folder or library; empty if none."""
    indexes = set(_indexes(app))
    for note in sorted(_folder(app.settings).glob("*.json")):
        try:
            os.kill(int(note.stem), 0)
            content = cast("dict[str, object]", json.loads(note.read_text("utf-8")))
            page, served = content["page"], cast("list[str]", content["indexes"])
        except (OSError, ValueError, KeyError, TypeError):  # its server was killed, or it is no note of ours
            continue
        if isinstance(page, str) and indexes.intersection(served):
            return page
    return ""


def _folder(settings: Settings) -> Path:
    return settings.storage.cache / "servers"


def _indexes(app: App) -> list[str]:
    """Return the index files of what an application serves."""
    return [str(spec.location) for spec in app.served]
