"""Which places of a folder are kept, by their names alone."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pincite.sources.ignore import GIT, OWN, IgnoreFile, IgnoreFiles, Rules, Scope, Verdict
from pincite.sources.paths import encodable

EXCLUDED = frozenset({"node_modules", ".git", ".venv", "venv", "__pycache__", "target", "site-packages"})
"""Names of folders that hold no documentation; nothing takes them back in."""


class Reason(StrEnum):
    """Why a file is left out. A folder that is left out counts once, whatever it holds."""

    IGNORED = "ignored"
    HIDDEN = "hidden"
    EXCLUDED = "excluded"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    OUTSIDE = "outside"
    LINKED_TWICE = "linked_twice"
    UNREADABLE = "unreadable"
    UNDECODABLE = "undecodable"
    SPECIAL = "special"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of a folder.

    Attributes:
        extensions: Lower case with the dot → whether it is a text format.
        max_text_bytes: Largest file of a text format.
        max_other_bytes: Largest file of another format.
        max_files: Most files; the first by path are taken.
    """

    extensions: Mapping[str, bool]
    max_text_bytes: int
    max_other_bytes: int
    max_files: int

    def most_bytes(self, name: str) -> int | None:
        """The largest size of a file of this name; None if no reader knows its extension."""
        text = self.extensions.get(name[name.rfind(".") :].lower()) if "." in name else None
        if text is None:
            return None
        return self.max_text_bytes if text else self.max_other_bytes


class Rulebook:
    """The ignore rules of every folder below a root. A snapshot: make another after a change."""

    def __init__(self, root: str, limits: Limits, files: IgnoreFiles) -> None:
        self._root = root
        self._limits = limits
        self._files = files
        self.warnings: list[str] = []
        """What a person should know of ignore files that could not be read."""
        self.above = _above(root)
        scopes = [(loaded, prefix) for path, prefix in self.above if (loaded := self._read(path)) is not None]
        self._outer = Rules(git=tuple(Scope(loaded, prefix=prefix) for loaded, prefix in scopes))
        self._rules: dict[str, Rules] = {}
        self._folders: dict[str, Reason | None] = {}

    def of(self, folder: str, holds: Collection[str] | None = None) -> Rules:
        """The rules for the entries of a folder (relative; empty for the root).

        Args:
            folder: One that is kept.
            holds: The ignore files in it, where that is known.
        """
        known = self._rules.get(folder)
        if known is None:
            known = self._rules[folder] = self._load(folder, (GIT, OWN) if holds is None else holds)
        return known

    def of_entry(self, path: str, *, folder: bool) -> Reason | None:
        """Why this entry of a kept folder is left out by its name; None if it is not."""
        parent, _, name = path.rpartition("/")
        if name in EXCLUDED:
            return Reason.EXCLUDED
        if name.startswith("."):
            return Reason.HIDDEN
        if not encodable(name):
            return Reason.UNDECODABLE
        verdict = self.of(parent).verdict(path, folder=folder)
        if verdict is Verdict.IGNORED:
            return Reason.IGNORED
        return Reason.UNSUPPORTED if not folder and self._limits.most_bytes(name) is None else None

    def of_place(self, path: str, *, folder: bool) -> Reason | None:
        """Why this place is left out by its name or that of a folder on the way; None if it is not."""
        parent = path.rpartition("/")[0]
        if parent and (reason := self._of_folder(parent)):
            return reason
        return self.of_entry(path, folder=folder) if path else None

    def of_target(self, path: str, *, folder: bool) -> Reason | None:
        """Why no link may bring this place in: it, or a folder on the way, is excluded, hidden or ignored.

        Args:
            path: Where a link really leads, relative to the root.
            folder: Whether a folder lies there.
        """
        parts = path.split("/") if path else []
        parent = ""
        for number, name in enumerate(parts, 1):
            if name in EXCLUDED:
                return Reason.EXCLUDED
            if name.startswith("."):
                return Reason.HIDDEN
            here = f"{parent}/{name}" if parent else name
            if self.of(parent).verdict(here, folder=folder or number < len(parts)) is Verdict.IGNORED:
                return Reason.IGNORED
            parent = here
        return None

    def _of_folder(self, path: str) -> Reason | None:
        """Why a folder is left out; remembered, since it is asked for each of its files."""
        if path not in self._folders:
            self._folders[path] = self.of_place(path, folder=True)
        return self._folders[path]

    def _load(self, folder: str, holds: Collection[str]) -> Rules:
        outer = self.of(folder.rpartition("/")[0]) if folder else self._outer
        dormant = bool(folder) and outer.verdict(folder, folder=True) is Verdict.DORMANT
        own = self._file(folder, OWN) if OWN in holds else None
        git = self._file(folder, GIT) if GIT in holds else None
        if own is None and git is None and dormant == outer.dormant:
            return outer
        cut = len(os.fsencode(folder)) + 1 if folder else 0
        return Rules(
            own=(Scope(own, cut), *outer.own) if own else outer.own,
            git=(Scope(git, cut), *outer.git) if git else outer.git,
            dormant=dormant,
        )

    def _file(self, folder: str, name: str) -> IgnoreFile | None:
        return self._read("/".join(part for part in (self._root, folder, name) if part))

    def _read(self, path: str) -> IgnoreFile | None:
        loaded = self._files.load(path)
        if loaded.problem:
            name = os.path.relpath(path, self._root).replace(os.sep, "/")
            self.warnings.append(f"{name} {loaded.problem}. Make it a file that can be read, or delete it.")
        return loaded.file


def _above(root: str) -> list[tuple[str, str]]:
    """The `.gitignore` files above the root up to its repository's root, the nearest first, and the way down."""
    found: list[tuple[str, str]] = []
    here = Path(root)
    for folder in (here, *here.parents):
        if folder != here:
            way = os.fsencode(here.relative_to(folder).as_posix()).decode("latin-1")
            found.append((str(folder / GIT), f"{way}/"))
        if os.path.lexists(folder / ".git"):
            return found
    return []
