"""Walk a folder: its served files, and the number of others by reason."""

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from errno import EACCES
from heapq import heappop, heappush
from pathlib import Path

from pincite.model.call import Call
from pincite.sources.base import FileState
from pincite.sources.exclusions import EXCLUDED, Limits, Reason, Rulebook
from pincite.sources.ignore import NAMES, Rules, Verdict
from pincite.sources.paths import ABSENT, is_encodable, state_of

MAX_WARNINGS = 10
"""Warnings of one listing: a broken folder has one for each of its files."""

Entry = os.DirEntry[str]


class TooManyError(Exception):
    """The folder has more files than the limit; only an ordered walk finds the first by path."""


@dataclass(slots=True)
class WalkResult:
    """The result of a walk.

    Attributes:
        files: File state by name.
        left_out: Why a file or folder is left out, by name.
        unreadable: Why a file or folder cannot be read at the moment, by name; a folder's name ends with `/`.
        warnings: Messages for the user.
        links: Whether a link is followed, or would be if its target existed.
        shared: Names of files with several hard links, here or elsewhere.
        cut: The last name that was taken if there are too many files; else None.
    """

    files: dict[str, FileState] = field(default_factory=dict[str, FileState])
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])
    links: bool = False
    shared: list[str] = field(default_factory=list[str])
    cut: str | None = None

    def fail(self, name: str, error: OSError | None = None) -> None:
        """Note a file or folder that cannot be read; one that is gone is only left out."""
        self.left_out[name] = Reason.UNREADABLE
        if error is None or error.errno not in ABSENT:
            self.unreadable[name] = os.strerror((error and error.errno) or EACCES)

    def warn(self, sentence: str) -> None:
        """Add a message for the user, up to `MAX_WARNINGS`."""
        if len(self.warnings) < MAX_WARNINGS:
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
) -> WalkResult:
    """Find every served file below a folder.

    Args:
        root: The served folder, absolute and without symbolic links.
        limits: Which files are read.
        rules: Which files are ignored.
        call: Checked for cancellation between folders.
        start: The folder below the root to start from.
        enter: Called with each folder before it is listed.
        denied: Files that could not be opened although their modes allow it.
        whole: Whether to fail on too many files instead of taking the first by path.

    Raises:
        OSError: The start folder cannot be listed.
        TooManyError: There are more files than the limit, and `whole` is set.
    """
    # Unordered first: sorting costs time and only matters when there are too many files.
    try:
        return _Walk(root, limits, rules, enter, denied or {}, ordered=False).run(call, start)
    except TooManyError:
        if whole:
            raise
        return _Walk(root, limits, rules, enter, denied or {}, ordered=True).run(call, start)


def judged(limits: Limits, name: str, location: str, status: os.stat_result) -> FileState | Reason:
    """Return the state of a file, or the reason why it is left out."""
    most = limits.most_bytes(name)
    if most is None:
        return Reason.UNSUPPORTED
    if not stat.S_ISREG(status.st_mode):
        return Reason.SPECIAL
    if status.st_size > most:
        return Reason.TOO_LARGE
    # A file that everyone may read needs no system call.
    if not status.st_mode & stat.S_IROTH and not os.access(location, os.R_OK):
        return Reason.UNREADABLE
    return state_of(status)


def real_name(root: str, location: str) -> str | None:
    """Return the real path relative to the root (empty for the root itself); None if it is outside."""
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
        self._followed: set[str] = set()
        self.result = WalkResult()

    def run(self, call: Call, start: str) -> WalkResult:
        self._below(call, start, first=True)
        # Links last and in order: the name of a file with several does not depend on the order of the listing.
        while self._links:
            folder = self._link(heappop(self._links))
            if folder is not None:
                self._below(call, folder)
        for sentence in self._rules.warnings:
            self.result.warn(sentence)
        if self.result.cut is not None:
            self.result.warnings.insert(
                0,
                f"The folder holds more than {self._limits.max_files} files; the first by path are served. "
                "Serve a folder further down, or raise PINCITE_MAX_FILES.",
            )
        return self.result

    def _below(self, call: Call, start: str, *, first: bool = False) -> None:
        """Walk everything below a folder; raise OSError only if the folder itself cannot be listed."""
        pending: list[tuple[str, Entry | None]] = [(start, None)]
        while pending:
            name, entry = pending.pop()
            if entry is not None:
                parent = name.rpartition("/")[0]
                if self._entry(name, entry, self._rules.of(parent)):
                    pending.append((name, None))
                continue
            call.check()
            with ExitStack() as opened:
                try:
                    entries = self._list(name, opened)
                except OSError as error:
                    if first:
                        raise
                    self.result.fail(f"{name}/", error)
                    self.result.warn(f"The folder {name} cannot be read.")
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
        """Take the files among these entries, nearly all on a fast path, and return the folders."""
        files, most, room = self.result.files, self._most, self._limits.max_files
        # The fast path knows neither followed links nor files that could not be opened.
        plain = not (self._real or self._denied)
        verdict = rules.verdict if rules.has_rules else None
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
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    status = None
                if status is not None and status.st_size <= limit and status.st_mode & stat.S_IROTH:
                    # As `state_of` and `_make` do: their calls for each file are measurable.
                    values = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
                    files[path] = tuple.__new__(FileState, values)  # pyright: ignore[reportUnknownMemberType] - of a generic class
                    if status.st_nlink > 1:
                        self.result.shared.append(path)
                    continue
            if self._entry(path, entry, rules):
                folders.append(path)
        return folders

    def _list(self, folder: str, opened: ExitStack) -> list[Entry]:
        """List a folder; its entries can be examined until `opened` is closed."""
        if self.result.cut is None and folder not in self._real:
            self._enter(folder)
        location: str | int = f"{self._root}/{folder}"
        if not self._ordered and os.scandir in os.supports_fd:
            # By the open folder: else the system resolves the whole path for each file, a sixth of the walk's time.
            location = os.open(location, os.O_RDONLY | os.O_DIRECTORY)
            opened.callback(os.close, location)
        with os.scandir(location) as listed:
            entries: list[Entry] = list(listed)
        self._rules.of(folder, [entry.name for entry in entries if entry.name in NAMES])
        return entries

    def _entry(self, path: str, entry: Entry, rules: Rules) -> bool:
        """Take a file; return True if the entry is a folder to walk."""
        try:
            folder = entry.is_dir(follow_symlinks=False)
            if reason := self._reason(path, entry, rules, folder=folder) or self._reason_of_target(path, folder=folder):
                self.result.left_out[path] = reason
            elif entry.is_symlink():
                heappush(self._links, path)
            elif folder:
                return self._is_first_path(path)
            elif self._limits.most_bytes(entry.name) is None:
                self.result.left_out[path] = Reason.UNSUPPORTED
            elif self._is_first_path(path):
                self._file(path, f"{self._root}/{path}", entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return False
        except OSError as error:
            self.result.fail(path, error)
        return False

    def _reason(self, path: str, entry: Entry, rules: Rules, *, folder: bool) -> Reason | None:
        """Return `Rulebook.of_entry`, computed here with the rules at hand instead of a look-up per entry."""
        name = entry.name
        if name in EXCLUDED:
            return Reason.EXCLUDED
        if name[0] == ".":
            return Reason.HIDDEN
        if not is_encodable(name):
            return Reason.UNDECODABLE
        return Reason.IGNORED if rules.verdict(path, folder=folder) is Verdict.IGNORED else None

    def _reason_of_target(self, path: str, *, folder: bool) -> Reason | None:
        """Return why an entry of a followed folder is left out by its real path; None if it is not."""
        parent, _, name = path.rpartition("/")
        below = self._real.get(parent) if self._real else None
        return None if below is None else self._rules.of_target(f"{below}/{name}", folder=folder)

    def _is_first_path(self, path: str) -> bool:
        """Return True if this path is not a second one, by a followed link, to a target that was taken already."""
        parent, _, name = path.rpartition("/")
        below = self._real.get(parent) if self._real else None
        if below is None:
            return True
        real = f"{below}/{name}"
        if real in self._followed:
            self.result.left_out[path] = Reason.LINKED_TWICE
            return False
        self._followed.add(real)
        self._real[path] = real
        return True

    def _file(self, path: str, location: str, status: os.stat_result) -> None:
        judgement = judged(self._limits, path, location, status)
        if judgement is Reason.UNREADABLE or (self._denied and self._denied.get(path) == judgement):
            self.result.fail(path)
        elif isinstance(judgement, Reason):
            self.result.left_out[path] = judgement
        elif len(self.result.files) < self._limits.max_files:
            self.result.files[path] = judgement
            if status.st_nlink > 1:
                self.result.shared.append(path)
        elif self._ordered:
            self.result.cut = self.result.cut or max(self.result.files, default="")
            self.result.left_out[path] = Reason.TOO_MANY
        else:
            raise TooManyError

    def _link(self, path: str) -> str | None:
        """Follow a link to a target inside the root that is not served under its own name; return a folder to walk."""
        location = f"{self._root}/{path}"
        real = real_name(self._root, location)
        if real is None:
            self.result.left_out[path] = Reason.OUTSIDE
            return None
        try:
            status = Path(location).stat()
        except OSError as error:
            self.result.fail(path, error)
            self.result.links |= self._rules.of_path(real, folder=False) is not None
            return None
        folder = stat.S_ISDIR(status.st_mode)
        if reason := self._rules.of_target(real, folder=folder):
            self.result.left_out[path] = reason
            return None
        # A target that is served under its own name, or was reached by another link, would be served twice.
        elsewhere = self._rules.of_path(real, folder=folder)
        if elsewhere is None or real in self._followed:
            self.result.left_out[path] = Reason.LINKED_TWICE
            return None
        self.result.links = True
        if folder:
            self._followed.add(real)
            self._real[path] = real
            return path
        self._file(path, location, status)
        if path in self.result.files:  # a link of a name that is not served keeps its target for others
            self._followed.add(real)
        return None


def _by_path(entry: Entry) -> str:
    """Return a key that sorts entries as their paths: a folder's name is followed by `/`."""
    return f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
