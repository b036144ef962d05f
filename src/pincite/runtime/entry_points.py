"""Tables of parts that other installed packages extend by entry points, such as the group `pincite.formats`."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

R = TypeVar("R", bound=Any)


class Table(Sequence[R]):
    """Rows of one kind: our own, then the rows of other packages, which are read only when ours do not suffice.

    An entry point has a row's name and leads to the row. One that cannot be imported, that is no such row, or that
    takes a name or a file extension of an earlier row is left out, and `problems` says so.
    """

    def __init__(self, group: str, own: Sequence[R], **adopted: Any) -> None:
        """Create a table.

        Args:
            group: The group of entry points.
            own: Our rows, at least one.
            adopted: Fields of the rows of other packages that are not theirs to choose.
        """
        self._group, self._own, self._adopted = group, tuple(own), adopted

    @property
    def problems(self) -> Sequence[str]:
        """A sentence for each part of another package that is left out."""
        return self._others[1]

    @cached_property
    def _others(self) -> tuple[Sequence[R], Sequence[str]]:
        rows: list[R] = []
        problems: list[str] = []
        taken = set[str]().union(*map(_names, self._own))
        offered = [point for point in installed() if point.group == self._group]
        for point in sorted(offered, key=lambda point: (_package(point), point.name)):
            try:
                row = self._row(point, taken)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code may raise anything
                problems.append(broken(point.name, _package(point), error))
            else:
                rows.append(row)
                taken |= _names(row)
        return tuple(rows), tuple(problems)

    def _row(self, point: "EntryPoint", taken: set[str]) -> R:
        row: R = point.load()
        kind = type(self._own[0])
        if not isinstance(row, kind) or row.name != point.name:
            raise TypeError(f"{point.value} is no {kind.__name__} of the name {point.name}")
        if clash := sorted(_names(row) & taken):
            raise ValueError(f"{', '.join(clash)} is taken")
        return replace(row, package=_package(point), **self._adopted)

    def __iter__(self) -> Iterator[R]:
        """Yield our rows before other packages are read."""
        yield from self._own
        yield from self._others[0]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._own) + len(self._others[0])

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...
    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        """Return a row by its position."""
        return tuple(self)[index]

    def __repr__(self) -> str:
        """Return the rows, as of a tuple."""
        return repr(tuple(self))


@cache
def installed() -> Sequence["EntryPoint"]:
    """Return the entry points of the packages that have some for pincite, read once.

    Their files are found here, in a millisecond: `importlib.metadata` takes 12 at each start, and 40 for its import.
    """
    folders = [Path(folder) for parent in sys.path for folder in _described(parent)]
    if not folders:
        return ()
    from importlib.metadata import Distribution  # noqa: PLC0415 - see above

    return [point for folder in folders for point in Distribution.at(folder).entry_points]


def _described(parent: str) -> Iterator[str]:
    """Yield the metadata folders in an entry of `sys.path` whose package has entry points for pincite."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), Path(entry.path, "entry_points.txt").open("rb") as file:
                    if b"[pincite." in file.read():
                        yield entry.path


def broken(name: str, package: str, error: BaseException) -> str:
    """Return the sentence that says which package offers a part that cannot be used, and what to do."""
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"The package {package} offers {name}, which cannot be used ({reason}). Update the package, or uninstall it."


def _names(row: Any) -> set[str]:
    return {row.name, *getattr(row, "extensions", ())}


def _package(point: "EntryPoint") -> str:
    try:
        return f"{point.dist.name} {point.dist.version}" if point.dist and point.dist.name else point.module
    except Exception:  # noqa: BLE001 - its metadata is missing or damaged
        return point.module
