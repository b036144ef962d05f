"""The files in DATA_DIR that hold pincite's own state."""

from pathlib import Path

from pincite.settings import Settings

CONVERTER_FOLDER = "converter"
"""Folder of the tasks and files of `pincite converter`: a server with the same DATA_DIR has its own."""


def own_files(settings: Settings) -> list[Path]:
    """Return the files and folders that hold pincite's own state, not documents of users: no tool opens them."""
    data, tasks = settings.storage.data, settings.extraction.database
    own = [data / name for name in ("tasks.db", "library.db", "cache", "capabilities", CONVERTER_FOLDER)]
    return [*own, *(path for path in (tasks, settings.http.keys) if path is not None)]
