"""The folders that are served, as they are named on the command line: one, or several as NAME=FOLDER."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pincite.errors import InvalidInput

_NAMED = re.compile(r"([A-Za-z0-9][\w.-]{0,39})=(.+)", re.DOTALL)
"""Short names without spaces: a model reads them, and they are part of URIs."""


def served_folders(arguments: Sequence[str]) -> Path | Mapping[str, Path] | None:
    """Return the folder of a command line, or several by the names of their collections; None if it names none.

    Raises:
        InvalidInput: Several are named, but not each by a name of its own.
    """
    if len(arguments) == 1 and (Path(arguments[0]).is_dir() or not _NAMED.fullmatch(arguments[0])):
        return Path(arguments[0])
    named = [_NAMED.fullmatch(argument) for argument in arguments]
    folders = {match[1]: Path(match[2]).expanduser() for match in named if match}
    if len(folders) < len(arguments):
        raise InvalidInput("Name each of several folders: pincite serve api=./api handbook=./handbook")
    return folders or None


def arguments_of(folders: Path | Mapping[str, Path] | None) -> list[str]:
    """Return the arguments that name these folders."""
    if isinstance(folders, Mapping):
        return [f"{name}={folder}" for name, folder in folders.items()]
    return [] if folders is None else [str(folders)]


def folders_of(folders: Path | Mapping[str, Path] | None) -> Sequence[Path]:
    """Return the folders without their names."""
    if folders is None:
        return ()
    return [folders] if isinstance(folders, Path) else list(folders.values())
