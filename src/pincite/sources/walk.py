"""A walk over a folder: every file that counts, and how many were left out for which reason."""

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path

from pincite.model.call import Call
from pincite.model.store import FileState
from pincite.sources.ignore import NAMES, Rules, Verdict
from pincite.sources.paths import encodable, state_of
from pincite.sources.rulebook import EXCLUDED, Limits, Reason, Rulebook

MOST_WARNINGS = 10

Entry = os.DirEntry[str]


class TooManyError(Exception):
    """The folder holds more files than the limit: walk it in the order of paths."""


@dataclass(slots=True)
class Found:
    """What a walk finds.

    Attributes:
        files: File state by name.
        skipped: How many were left out, by reason.
        warnings: What a person should know.
        followed: Real paths that followed links lead to, files and folders.
        links: Whether a link is followed, or would be once it leads somewhere.
        shared: Names of files that have other names too (hard links), here or elsewhere.
        cut: The last name that was taken where there are too many files; else None.
    """

    files: dict[str, FileState] = field(default_factory=dict[str, FileState])
    skipped: dict[str, int] = field(default_factory=dict[str, int])
    warnings: list[str] = field(default_factory=list[str])
    followed: set[str] = field(default_factory=set[str])
    links: bool = False
    shared: list[str] = field(default_factory=list[str])
    cut: str | None = None

    def skip(self, reason: Reason) -> None:
        """Count one."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def warn(self, sentence: str) -> None:
        """Tell a person."""
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(sentence)


def walk(
    root: str,
    limits: Limits,
    rules: Rulebook,
    call: Call,
    *,
    start: str = "",
    enter: Callable[[str], None],
    denied: Mapping[str, FileState] | None = None,
    whole: bool = False,
) -> Found:
    """Find every file below a folder.

    Args:
        root: The served folder, absolute and real.
        limits: What is read.
        rules: What is ignored.
        call: Asked between folders.
        start: Where below the root to begin.
        enter: Called with each folder before it is listed.
        denied: Files that turned out to be unreadable although their modes say otherwise.
        whole: Whether it is all or nothing.

    Raises:
        OSError: The start cannot be listed.
        TooManyError: There are more files than the limit, and `whole` was asked for.
    """
    try:
        return _Walk(root, limits, rules, enter, denied or {}, ordered=False).run(call, start)
    except TooManyError:
        if whole:
            raise
        return _Walk(root, limits, rules, enter, denied or {}, ordered=True).run(call, start)


def judged(limits: Limits, name: str, location: str, seen: os.stat_result) -> FileState | Reason:
    """The state of a file, or why it is left out."""
    most = limits.most_bytes(name)
    if most is None:
        return Reason.UNSUPPORTED
    if not stat.S_ISREG(seen.st_mode):
        return Reason.SPECIAL
    if seen.st_size > most:
        return Reason.TOO_LARGE
    if not seen.st_mode & stat.S_IROTH and not os.access(location, os.R_OK):
        return Reason.UNREADABLE
    return state_of(seen)


def real_name(root: str, location: str) -> str | None:
    """Where a path really leads, relative to the root (empty for the root itself); None if out of it."""
    real = os.path.realpath(location)
    if real == root:
        return ""
    inside = root if root.endswith(os.sep) else root + os.sep
    return real[len(inside) :].replace(os.sep, "/") if real.startswith(inside) else None


class _Walk:
    def __init__(
        self,
        root: str,
        limits: Limits,
        rules: Rulebook,
        enter: Callable[[str], None],
        denied: Mapping[str, FileState],
        *,
        ordered: bool,
    ) -> None:
        self._root = root
        self._limits = limits
        self._rules = rules
        self._enter = enter
        self._denied = denied
        self._ordered = ordered
        self._most = {extension: limits.most_bytes(extension) for extension in limits.extensions}
        self._links: list[str] = []
        self._real: dict[str, str] = {}
        self.found = Found()

    def run(self, call: Call, start: str) -> Found:
        self._below(call, start, first=True)
        # Links come last and in order, so that which of two names a file gets does not hang on chance.
        while self._links:
            folder = self._link(heappop(self._links))
            if folder is not None:
                self._below(call, folder)
        for sentence in self._rules.warnings:
            self.found.warn(sentence)
        if self.found.cut is not None:
            self.found.warnings.insert(
                0,
                f"The folder holds more than {self._limits.max_files} files; the first by path are served. "
                "Serve a folder further down, or raise PINCITE_MAX_FILES.",
            )
        return self.found

    def _below(self, call: Call, start: str, *, first: bool = False) -> None:
        """Everything below a folder; an error in the first one is the caller's."""
        pending: list[tuple[str, Entry | None]] = [(start, None)]
        while pending:
            name, entry = pending.pop()
            if entry is not None:
                parent = name.rpartition("/")[0]
                if self._entry(name, entry, self._rules.of(parent)):
                    pending.append((name, None))
                continue
            call.check()
            try:
                entries = self._list(name)
            except OSError:
                if first:
                    raise
                self.found.skip(Reason.UNREADABLE)
                self.found.warn(f"The folder {name} cannot be read.")
                continue
            finally:
                first = False
            prefix = f"{name}/" if name else ""
            if self._ordered:
                entries.sort(key=_by_path, reverse=True)
                pending.extend((prefix + entry.name, entry) for entry in entries)
                continue
            rules = self._rules.of(name)
            pending.extend([(path, None) for path in self._entries(prefix, entries, rules)])

    def _entries(self, prefix: str, entries: list[Entry], rules: Rules) -> list[str]:
        """The folders among these entries; files are taken, ordinary ones (nearly all) by the shortest way."""
        files, most, room = self.found.files, self._most, self._limits.max_files
        plain = not (self._real or self._denied)
        verdict = rules.verdict if rules.some else None
        folders: list[str] = []
        for entry in entries:
            name = entry.name
            path = prefix + name
            limit = most.get(name[name.rfind(".") :]) if plain and name[0] != "." and name.isascii() else None
            if (
                limit is not None
                and entry.is_file(follow_symlinks=False)
                and (verdict is None or verdict(path, folder=False) is Verdict.KEPT)
                and len(files) < room
            ):
                try:
                    seen = entry.stat(follow_symlinks=False)
                except OSError:
                    seen = None
                if seen is not None and seen.st_size <= limit and seen.st_mode & stat.S_IROTH:
                    files[path] = FileState._make((seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino))
                    if seen.st_nlink > 1:
                        self.found.shared.append(path)
                    continue
            if self._entry(path, entry, rules):
                folders.append(path)
        return folders

    def _list(self, folder: str) -> list[Entry]:
        if self.found.cut is None and folder not in self._real:
            self._enter(folder)
        with os.scandir(f"{self._root}/{folder}") as listed:
            entries = list(listed)
        self._rules.of(folder, [entry.name for entry in entries if entry.name in NAMES])
        return entries

    def _entry(self, path: str, entry: Entry, rules: Rules) -> bool:
        """Take a file, or tell that this is a folder to go into."""
        try:
            folder = entry.is_dir(follow_symlinks=False)
            if reason := self._reason(path, entry, rules, folder=folder) or self._reason_really(path, folder=folder):
                self.found.skip(reason)
            elif entry.is_symlink():
                heappush(self._links, path)
            elif folder:
                return self._once(path)
            elif self._limits.most_bytes(entry.name) is None:
                self.found.skip(Reason.UNSUPPORTED)
            elif self._once(path):
                self._file(path, entry.path, entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return False
        except OSError:
            self.found.skip(Reason.UNREADABLE)
        return False

    def _reason(self, path: str, entry: Entry, rules: Rules, *, folder: bool) -> Reason | None:
        """As `Rulebook.of_entry`, which this repeats without looking up what the walk has at hand."""
        name = entry.name
        if name in EXCLUDED:
            return Reason.EXCLUDED
        if name[0] == ".":
            return Reason.HIDDEN
        if not encodable(name):
            return Reason.UNDECODABLE
        return Reason.IGNORED if rules.verdict(path, folder=folder) is Verdict.IGNORED else None

    def _reason_really(self, path: str, *, folder: bool) -> Reason | None:
        """Why an entry of a followed folder is left out by where it really lies."""
        parent, _, name = path.rpartition("/")
        below = self._real.get(parent) if self._real else None
        return None if below is None else self._rules.of_target(f"{below}/{name}", folder=folder)

    def _once(self, path: str) -> bool:
        """Whether this is no second way, by a followed link, to what was taken already."""
        parent, _, name = path.rpartition("/")
        below = self._real.get(parent) if self._real else None
        if below is None:
            return True
        real = f"{below}/{name}"
        if real in self.found.followed:
            self.found.skip(Reason.LINKED_TWICE)
            return False
        self.found.followed.add(real)
        self._real[path] = real
        return True

    def _file(self, path: str, location: str, seen: os.stat_result) -> None:
        judgement = judged(self._limits, path, location, seen)
        if isinstance(judgement, Reason):
            self.found.skip(judgement)
        elif self._denied and self._denied.get(path) == judgement:
            self.found.skip(Reason.UNREADABLE)
        elif len(self.found.files) < self._limits.max_files:
            self.found.files[path] = judgement
            if seen.st_nlink > 1:
                self.found.shared.append(path)
        elif self._ordered:
            self.found.cut = self.found.cut or max(self.found.files, default="")
            self.found.skip(Reason.TOO_MANY)
        else:
            raise TooManyError

    def _link(self, path: str) -> str | None:
        """Follow a link inside the root to what is not served under its own name. Returns a folder to go into."""
        location = f"{self._root}/{path}"
        real = real_name(self._root, location)
        if real is None:
            self.found.skip(Reason.OUTSIDE)
            return None
        try:
            seen = Path(location).stat()
        except OSError:
            self.found.skip(Reason.UNREADABLE)
            self.found.links |= self._rules.of_place(real, folder=False) is not None
            return None
        folder = stat.S_ISDIR(seen.st_mode)
        if reason := self._rules.of_target(real, folder=folder):
            self.found.skip(reason)
            return None
        elsewhere = self._rules.of_place(real, folder=folder)
        if elsewhere is None or real in self.found.followed:
            self.found.skip(Reason.LINKED_TWICE)
            return None
        self.found.links = True
        self.found.followed.add(real)
        if folder:
            self._real[path] = real
            return path
        self._file(path, location, seen)
        return None


def _by_path(entry: Entry) -> str:
    """What sorts entries as their paths sort: a folder's name is followed by `/`."""
    return f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
