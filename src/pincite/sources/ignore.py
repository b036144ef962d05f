"""Ignore files: `.gitignore` as git reads it, and `.pinciteignore`, which may re-include what git ignores.

Entries are matched one at a time, given that their folder is kept, as in git: a pattern for a folder does not
match the files in it; the walk does not enter the folder.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from pincite.sources.base import FileState, is_racy
from pincite.sources.paths import open_regular, read_up_to, state_of
from pincite.sources.patterns import Pattern, parse

GIT = ".gitignore"
OWN = ".pinciteignore"
NAMES = frozenset({GIT, OWN})

MAX_IGNORE_FILE_BYTES = 500_000
"""Size of an ignore file that is read; real ones have some kilobytes."""
MAX_CACHED_NAMES = 50_000
"""Names whose result is kept; bounds the memory."""

_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})


class Verdict(Enum):
    """The result of matching an entry."""

    KEPT = "kept"
    IGNORED = "ignored"
    DORMANT = "a folder that git ignores, in which `.pinciteignore` may take something back in"


class IgnoreFile:
    """The patterns of one ignore file; the last match is_ignored."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        rows = list(enumerate(patterns))
        self._negated = [pattern.negated for _, pattern in rows]
        self._names = _Alternatives((i, pattern) for i, pattern in rows if not pattern.anchored)
        self._paths = _Alternatives((i, pattern) for i, pattern in rows if pattern.anchored)
        self.negates = any(self._negated)
        self._cached_matches: dict[str, int] = {}

    def is_ignored(self, path: str, name: str) -> bool | None:
        """Return True if an entry is ignored, False if it is re-included, None if no pattern matches.

        Args:
            path: Path from this file's folder, one character per byte, with a trailing `/` for a folder.
            name: Its last segment, likewise.
        """
        by_name = self._cached_matches.get(name)
        if by_name is None:
            if len(self._cached_matches) >= MAX_CACHED_NAMES:
                self._cached_matches.clear()
            by_name = self._cached_matches[name] = self._names.last(name)
        last = max(by_name, self._paths.last(path))
        return None if last < 0 else not self._negated[last]


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore files that apply in one folder.

    Attributes:
        own: `.pinciteignore` files, nearest first, each with the length of its folder's path.
        git: `.gitignore` files likewise; those above the root have the path down to it as a prefix.
        dormant: Whether the folder is in one that git ignores.
    """

    own: tuple["Scope", ...] = ()
    git: tuple["Scope", ...] = ()
    dormant: bool = False

    @property
    def has_rules(self) -> bool:
        """True if any rule applies."""
        return bool(self.own or self.git or self.dormant)

    def verdict(self, path: str, *, folder: bool) -> Verdict:
        """Match an entry of this folder.

        Args:
            path: Its name (relative to the root).
            folder: Whether it is a folder; a link to one is not.
        """
        if not self.has_rules:
            return Verdict.KEPT
        text = path if path.isascii() else os.fsencode(path).decode("latin-1")
        subject = f"{text}/" if folder else text
        name = subject[text.rfind("/") + 1 :]
        # `.pinciteignore` is regexes for pincite alone, so it has the last word over git's rules.
        for scope in self.own:
            decision = scope.is_ignored(subject, name)
            if decision is not None:
                return Verdict.IGNORED if decision else Verdict.KEPT
        if not (self.dormant or _is_ignored_by_nearest(self.git, subject, name)):
            return Verdict.KEPT
        # Unlike git, go into an ignored folder if a negated pattern may re-include something in it.
        return Verdict.DORMANT if folder and any(scope.file.negates for scope in self.own) else Verdict.IGNORED


@dataclass(frozen=True, slots=True)
class Scope:
    """An ignore file and its folder.

    Attributes:
        file: Its patterns.
        cut: Length of its folder's path below the root, with `/`, one character per byte.
        prefix: Path from its folder down to the root, with `/`, if it is above the root.
    """

    file: IgnoreFile
    cut: int = 0
    prefix: str = ""

    def is_ignored(self, subject: str, name: str) -> bool | None:
        """See `IgnoreFile.is_ignored`; `subject` is relative to the root."""
        return self.file.is_ignored(self.prefix + subject if self.prefix else subject[self.cut :], name)


def _is_ignored_by_nearest(scopes: Iterable[Scope], subject: str, name: str) -> bool:
    for scope in scopes:
        decision = scope.is_ignored(subject, name)
        if decision is not None:
            return decision
    return False


@dataclass(frozen=True, slots=True)
class Loaded:
    """A loaded ignore file.

    Attributes:
        file: Its patterns; None if it has none.
        problem: Why it could not be read; empty if it could.
    """

    file: IgnoreFile | None = None
    problem: str = ""


@dataclass(slots=True)
class IgnoreFiles:
    """A cache of compiled ignore files by path, checked for changes at each use. Thread-safe."""

    _cache: dict[str, tuple[FileState, Loaded]] = field(default_factory=dict[str, tuple[FileState, Loaded]])

    def load(self, path: str) -> Loaded:
        """Return the patterns of a file.

        A file whose rules are unknown (no permission, a read error, over 500 kB) ignores everything, because what it
        excludes may be secret (docs/decisions/0008). A link or folder of that name has no rules, as in git; but a link
        named `.pinciteignore` counts as unknown.
        """
        try:
            status = os.lstat(path)
        except OSError as error:
            self._cache.pop(path, None)
            return NO_RULES if error.errno in _MISSING else _unknown(os.strerror(error.errno or 0))
        except ValueError:  # a NUL in the path
            return NO_RULES
        state = state_of(status)
        cached = self._cache.get(path)
        if cached is not None and cached[0] == state:
            return cached[1]
        loaded = _load(path, status)
        # Failures are not cached: their cause may go away without a change of the file.
        if not loaded.problem and not is_racy(state, time.time_ns()):
            self._cache[path] = (state, loaded)
        return loaded

    def forget(self) -> None:
        """Clear the cache."""
        self._cache.clear()


class _Alternatives:
    """Patterns of one kind, compiled into one regex and one dict of literals."""

    def __init__(self, rows: Iterable[tuple[int, Pattern]]) -> None:
        self._literal: dict[str, int] = {}
        self._numbers: list[int] = []
        regexes: list[str] = []
        for number, pattern in rows:
            if pattern.literal is None:
                self._numbers.append(number)
                # A folder ends in `/`; the lookbehind keeps `a/**` from matching `a/` itself.
                regexes.append(f"({pattern.regex}(?<!/)/{'' if pattern.folders_only else '?'})")
                continue
            self._literal[f"{pattern.literal}/"] = number
            if not pattern.folders_only:
                self._literal[pattern.literal] = number
        # Alternation takes the first alternative that matches: reversed, that is the last pattern.
        self._numbers.reverse()
        self._fullmatch = re.compile("|".join(reversed(regexes)), re.DOTALL).fullmatch if regexes else None

    def last(self, subject: str) -> int:
        """Return the number of the last pattern that matches; -1 if none does."""
        literal = self._literal.get(subject, -1)
        match = self._fullmatch(subject) if self._fullmatch else None
        if match is None or match.lastindex is None:
            return literal
        return max(literal, self._numbers[match.lastindex - 1])


NO_RULES = Loaded()


def _unknown(why: str) -> Loaded:
    return Loaded(IgnoreFile(parse(b"*")), f"cannot be read ({why}), so nothing of its folder is served")


def _load(path: str, status: os.stat_result) -> Loaded:
    if stat.S_ISLNK(status.st_mode) and path.endswith(OWN):
        return _unknown("it is a symbolic link")
    if not stat.S_ISREG(status.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "no regular file"
        return Loaded(problem=f"is {kind}, so it holds no rules, as for git")
    if status.st_size > MAX_IGNORE_FILE_BYTES:
        return _unknown(f"it is larger than {MAX_IGNORE_FILE_BYTES} bytes")
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
        return read_up_to(handle, MAX_IGNORE_FILE_BYTES)
    finally:
        os.close(handle)
