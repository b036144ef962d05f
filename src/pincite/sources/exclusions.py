"""Decide by names alone which files of a folder are served."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pincite.sources.ignore import GIT, OWN, IgnoreFile, IgnoreFiles, Rules, Scope, Verdict
from pincite.sources.paths import is_encodable

EXCLUDED = frozenset({"node_modules", ".git", ".venv", "venv", "__pycache__", "target", "site-packages"})
"""Names of folders without documentation; no ignore file can re-include them."""


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
    """Limits on the files of a folder.

    Attributes:
        extensions: Whether an extension (lower case with the dot) is of a text format.
        max_text_bytes: Maximum size of a file of a text format.
        max_other_bytes: Maximum size of a file of another format.
        max_files: Maximum number of files; the first by path are taken.
    """

    extensions: Mapping[str, bool]
    max_text_bytes: int
    max_other_bytes: int
    max_files: int

    def most_bytes(self, name: str) -> int | None:
        """Return the maximum size of a file of this name; None if no reader knows its extension."""
        text = self.extensions.get(name[name.rfind(".") :].lower()) if "." in name else None
        if text is None:
            return None
        return self.max_text_bytes if text else self.max_other_bytes


class Rulebook:
    """The ignore rules of every folder below a root: a snapshot, to be replaced after a change."""

    def __init__(self, root: str, limits: Limits, files: IgnoreFiles) -> None:
        self._root = root
        self._limits = limits
        self._files = files
        self.warnings: list[str] = []
        """Messages for the user about ignore files that could not be read."""
        self.above = _outer_ignore_files(root)
        scopes = [(loaded, prefix) for path, prefix in self.above if (loaded := self._read(path)) is not None]
        self._outer = Rules(git=tuple(Scope(loaded, prefix=prefix) for loaded, prefix in scopes))
        self._rules: dict[str, Rules] = {}
        self._folders: dict[str, Reason | None] = {}

    def of(self, folder: str, holds: Collection[str] | None = None) -> Rules:
        """Return the rules for the entries of a folder (relative; empty for the root).

        Args:
            folder: A folder that is not left out itself.
            holds: The names of the ignore files in it, if known.
        """
        rules = self._rules.get(folder)
        if rules is None:
            rules = self._rules[folder] = self._load(folder, (GIT, OWN) if holds is None else holds)
        return rules

    def of_entry(self, path: str, *, folder: bool) -> Reason | None:
        """Return why an entry is left out by its name, given that its folder is not; None if it is served."""
        parent, _, name = path.rpartition("/")
        if name in EXCLUDED:
            return Reason.EXCLUDED
        if name.startswith("."):
            return Reason.HIDDEN
        if not is_encodable(name):
            return Reason.UNDECODABLE
        verdict = self.of(parent).verdict(path, folder=folder)
        if verdict is Verdict.IGNORED:
            return Reason.IGNORED
        return Reason.UNSUPPORTED if not folder and self._limits.most_bytes(name) is None else None

    def of_path(self, path: str, *, folder: bool) -> Reason | None:
        """Return why a path is left out by its name or a parent folder's; None if it is served."""
        end = path.find("/")
        while end >= 0:
            if reason := self._of_folder(path[:end]):
                return reason
            end = path.find("/", end + 1)
        return self.of_entry(path, folder=folder) if path else None

    def of_target(self, path: str, *, folder: bool) -> Reason | None:
        """Return why a link to this path is not followed: the path or a parent is excluded, hidden or ignored.

        Args:
            path: The link's real target, relative to the root.
            folder: Whether the target is a folder.
        """
        parts = path.split("/") if path else []
        parent = ""
        for number, name in enumerate(parts, 1):
            if name in EXCLUDED:
                return Reason.EXCLUDED
            if name.startswith("."):
                return Reason.HIDDEN
            current = f"{parent}/{name}" if parent else name
            if self.of(parent).verdict(current, folder=folder or number < len(parts)) is Verdict.IGNORED:
                return Reason.IGNORED
            parent = current
        return None

    def _of_folder(self, path: str) -> Reason | None:
        """Return why a folder of a kept folder is left out; cached, since it is needed for each of its files."""
        if path not in self._folders:
            self._folders[path] = self.of_entry(path, folder=True)
        return self._folders[path]

    def _load(self, folder: str, holds: Collection[str]) -> Rules:
        outer = self.of(folder.rpartition("/")[0]) if folder else self._outer
        dormant = bool(folder) and outer.verdict(folder, folder=True) is Verdict.DORMANT
        own = self._file(folder, OWN) if OWN in holds else None
        git = self._file(folder, GIT) if GIT in holds else None
        # Most folders have no ignore file: they share their parent's rules.
        if own is None and git is None and dormant == outer.dormant:
            return outer
        # In bytes, as git matches: paths are matched with one character per byte.
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


def _outer_ignore_files(root: str) -> list[tuple[str, str]]:
    """Return the `.gitignore` files between the root and its repository's, nearest first, each with the path down."""
    ignore_files: list[tuple[str, str]] = []
    start = Path(root)
    for folder in (start, *start.parents):
        if folder != start:
            down = os.fsencode(start.relative_to(folder).as_posix()).decode("latin-1")
            ignore_files.append((str(folder / GIT), f"{down}/"))
        if os.path.lexists(folder / ".git"):
            return ignore_files
    return []
