"""Ignore files: `.gitignore` as git reads it, and `.pinciteignore`, which may take back in what git leaves out.

Every entry is judged on its own, with its folder known to be kept, as git does it: a pattern for a
folder says nothing of what lies in it, the walk simply does not go there.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from pincite.model.store import FileState
from pincite.sources.base import racy
from pincite.sources.paths import open_regular, read_up_to, state_of
from pincite.sources.patterns import Pattern, parse

GIT = ".gitignore"
OWN = ".pinciteignore"
NAMES = frozenset({GIT, OWN})

LARGEST_IGNORE_FILE = 500_000
MOST_REMEMBERED = 50_000

_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})


class Verdict(Enum):
    """What the rules say of an entry."""

    KEPT = "kept"
    IGNORED = "ignored"
    DORMANT = "a folder that git ignores, in which `.pinciteignore` may take something back in"


class IgnoreFile:
    """The patterns of one ignore file; the last one that fits decides."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        rows = list(enumerate(patterns))
        self._negated = [pattern.negated for _, pattern in rows]
        self._names = _Alternatives((i, pattern) for i, pattern in rows if not pattern.anchored)
        self._paths = _Alternatives((i, pattern) for i, pattern in rows if pattern.anchored)
        self.negates = any(self._negated)
        self._remembered: dict[str, int] = {}

    def decides(self, path: str, name: str) -> bool | None:
        """Whether an entry is ignored; None if no pattern fits.

        Args:
            path: From this file's folder, one character a byte, with a final `/` if it is a folder.
            name: Its last segment, the same way.
        """
        by_name = self._remembered.get(name)
        if by_name is None:
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            by_name = self._remembered[name] = self._names.last(name)
        found = max(by_name, self._paths.last(path))
        return None if found < 0 else not self._negated[found]


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore files that count in one folder.

    Attributes:
        own: `.pinciteignore` files, the nearest first, each with the length of its folder's path.
        git: `.gitignore` files likewise; those above the root carry the way down as a prefix.
        dormant: Whether the folder lies in one that git ignores.
    """

    own: tuple["Scope", ...] = ()
    git: tuple["Scope", ...] = ()
    dormant: bool = False

    @property
    def some(self) -> bool:
        """Whether there are any."""
        return bool(self.own or self.git or self.dormant)

    def verdict(self, path: str, *, folder: bool) -> Verdict:
        """What the rules say of an entry of this folder.

        Args:
            path: Its name (relative to the root).
            folder: Whether it is a folder; a link to one is none.
        """
        if not self.some:
            return Verdict.KEPT
        text = path if path.isascii() else os.fsencode(path).decode("latin-1")
        subject = f"{text}/" if folder else text
        name = subject[text.rfind("/") + 1 :]
        for scope in self.own:
            decision = scope.decides(subject, name)
            if decision is not None:
                return Verdict.IGNORED if decision else Verdict.KEPT
        if not (self.dormant or _first(self.git, subject, name)):
            return Verdict.KEPT
        return Verdict.DORMANT if folder and any(scope.file.negates for scope in self.own) else Verdict.IGNORED


@dataclass(frozen=True, slots=True)
class Scope:
    """An ignore file where it lies.

    Attributes:
        file: Its patterns.
        cut: Length of its folder's path below the root, with `/`, one character a byte.
        prefix: The way from its folder down to the root, with `/`, if it lies above the root.
    """

    file: IgnoreFile
    cut: int = 0
    prefix: str = ""

    def decides(self, subject: str, name: str) -> bool | None:
        """See `IgnoreFile.decides`; the subject counts from the root."""
        return self.file.decides(self.prefix + subject if self.prefix else subject[self.cut :], name)


def _first(scopes: Iterable[Scope], subject: str, name: str) -> bool:
    for scope in scopes:
        decision = scope.decides(subject, name)
        if decision is not None:
            return decision
    return False


@dataclass(frozen=True, slots=True)
class Loaded:
    """An ignore file, read.

    Attributes:
        file: Its patterns; None if there are none.
        problem: Why they could not be read; empty if they could.
    """

    file: IgnoreFile | None = None
    problem: str = ""


@dataclass(slots=True)
class IgnoreFiles:
    """Ignore files by path, compiled once and again when they change. Thread-safe."""

    _cache: dict[str, tuple[FileState, Loaded]] = field(default_factory=dict[str, tuple[FileState, Loaded]])

    def load(self, path: str) -> Loaded:
        """Read the patterns of a file.

        A file whose rules are unknown (no permission, a read error, over 500 kB) ignores everything: what it would
        have left out may be secret. What git takes no rules from either, a link or a folder of that name, has none; but
        a link named `.pinciteignore`, which git has no say in, counts as unknown.
        """
        try:
            seen = os.lstat(path)
        except OSError as error:
            self._cache.pop(path, None)
            return NO_RULES if error.errno in _MISSING else _unknown(os.strerror(error.errno or 0))
        except ValueError:  # a NUL in the path
            return NO_RULES
        state = state_of(seen)
        known = self._cache.get(path)
        if known is not None and known[0] == state:
            return known[1]
        loaded = _load(path, seen)
        # What could not be read is tried again: the cause may go away without a change of the file.
        if not loaded.problem and not racy(state, time.time_ns()):
            self._cache[path] = (state, loaded)
        return loaded

    def forget(self) -> None:
        """Read every file again at its next use."""
        self._cache.clear()


class _Alternatives:
    """Patterns of one kind; tells the last one that fits."""

    def __init__(self, rows: Iterable[tuple[int, Pattern]]) -> None:
        self._literal: dict[str, int] = {}
        self._numbers: list[int] = []
        written: list[str] = []
        for number, pattern in rows:
            if pattern.literal is None:
                self._numbers.append(number)
                # A folder ends in `/`; the lookbehind keeps `a/**` from fitting `a/` itself.
                written.append(f"({pattern.regex}(?<!/)/{'' if pattern.folders_only else '?'})")
                continue
            self._literal[f"{pattern.literal}/"] = number
            if not pattern.folders_only:
                self._literal[pattern.literal] = number
        self._numbers.reverse()
        self._fits = re.compile("|".join(reversed(written)), re.DOTALL).fullmatch if written else None

    def last(self, subject: str) -> int:
        """Its number; -1 if none fits."""
        literal = self._literal.get(subject, -1)
        match = self._fits(subject) if self._fits else None
        if match is None or match.lastindex is None:
            return literal
        return max(literal, self._numbers[match.lastindex - 1])


NO_RULES = Loaded()


def _unknown(why: str) -> Loaded:
    return Loaded(IgnoreFile(parse(b"*")), f"cannot be read ({why}), so nothing of its folder is served")


def _load(path: str, seen: os.stat_result) -> Loaded:
    if stat.S_ISLNK(seen.st_mode) and path.endswith(OWN):
        return _unknown("it is a symbolic link")
    if not stat.S_ISREG(seen.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(seen.st_mode) else "no regular file"
        return Loaded(problem=f"is {kind}, so it holds no rules, as for git")
    if seen.st_size > LARGEST_IGNORE_FILE:
        return _unknown(f"it is larger than {LARGEST_IGNORE_FILE} bytes")
    try:
        patterns = parse(_read(path))
    except FileNotFoundError:
        return NO_RULES
    except OSError as error:
        return _unknown(os.strerror(error.errno or 0))
    return Loaded(IgnoreFile(patterns)) if patterns else NO_RULES


def _read(path: str) -> bytes:
    handle = open_regular(path)
    try:
        return read_up_to(handle, LARGEST_IGNORE_FILE)
    finally:
        os.close(handle)
