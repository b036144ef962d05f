"""The name that a caller means when they write a path."""

import os
import posixpath
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from heapq import nlargest
from pathlib import Path

from pincite.errors import InvalidInput

_WILDCARD = re.compile(r"[*?\[{\\]")
_LEADING = re.compile(r"\A(?:\.?/+)+")

CANDIDATES = 48
MOST_GRAMS = 12
LEAST_LIKENESS = 0.4
LONGEST_COMPARED = 300

MAX_PATH_CHARS = 32_767
"""Of Windows, the longest of any system."""

MAX_ABSOLUTE_CHARS = 4_096
"""`PATH_MAX` of Linux: each folder on the way of an absolute path is compared with the root."""


def shown(path: str | os.PathLike[str]) -> str:
    """A path as text: what of it is not UTF-8 (a folder's own name, on Linux) becomes a replacement character."""
    return os.fsencode(path).decode("utf-8", "replace")


def relative(requested: str, root: Path) -> str:
    """The name (relative path with `/`) that a path means.

    An absolute path inside the folder is made relative, also by another spelling of the folder (a
    symbolic link to it); else a leading `./` or `/` is stripped. `a/./b`, `a//b` and `a/../b` are
    simplified.

    Args:
        requested: As the caller wrote it.
        root: The folder, absolute and real.

    Raises:
        InvalidInput: It is empty, too long, holds a NUL, or leaves the folder.
    """
    if not requested.strip():
        raise InvalidInput("file_path parameter is required")
    if len(requested) > MAX_PATH_CHARS:
        raise InvalidInput(f"file_path has {len(requested):,} characters; the maximum is {MAX_PATH_CHARS:,}.")
    if "\0" in requested:
        raise InvalidInput("file_path contains a NUL character. Take a path from list_pages.")
    name = posixpath.normpath((_inside(requested, root) or requested).lstrip("/") or ".")
    if name == ".." or name.startswith("../"):
        raise InvalidInput("file_path leaves the folder. Take a path from list_pages.")
    if name == ".":
        raise InvalidInput("file_path names the folder itself. Use list_pages to see what is in it.")
    return name


def from_root(written: str, root: Path) -> str:
    """A path or a glob without what only leads to the folder.

    As in `relative` an absolute path inside the folder is made relative, else a leading `./` or `/` is stripped.

    Args:
        written: As the caller wrote it; of a glob what stands before its first wildcard counts.
        root: The folder, absolute and real.
    """
    wildcard = _WILDCARD.search(written)
    literal = written if wildcard is None else written[: written.rfind("/", 0, wildcard.start()) + 1]
    inside = _inside(literal, root)
    rest = written[len(literal) :]
    if inside is not None:
        return (rest if inside == "." else posixpath.join(inside, rest)) if rest else inside
    return _LEADING.sub("", written)


def nearest(requested: str, names: Iterable[str], n: int) -> list[str]:
    """Up to n of these names, those most like what was asked first; fewer where little is alike.

    A shared base name counts most; letter case does not count.
    """
    lowered = requested[:LONGEST_COMPARED].lower()
    base = posixpath.basename(lowered) or lowered
    grams = _grams(base, MOST_GRAMS) + _grams(lowered, MOST_GRAMS // 2)
    likely = nlargest(CANDIDATES, ((_shared(grams, name.lower()), name) for name in names))
    compare = SequenceMatcher(autojunk=False)
    scored: list[tuple[float, str]] = []
    for shared, name in likely:
        likeness = _likeness(compare, lowered, base, name[:LONGEST_COMPARED].lower()) if shared else 0
        if likeness >= LEAST_LIKENESS:
            scored.append((-likeness, name))
    return [name for _, name in sorted(scored)[:n]]


def _inside(requested: str, root: Path) -> str | None:
    """An absolute path as seen from the folder; None if it is not absolute or lies elsewhere."""
    # A Path would swallow `..` and trailing parts here.
    if not os.path.isabs(requested) or len(requested) > MAX_ABSOLUTE_CHARS:  # noqa: PTH117
        return None
    path = Path(posixpath.normpath(requested) if os.sep == "/" else requested)
    for folder in (path, *path.parents):
        if folder == root or _same(folder, root):
            return path.relative_to(folder).as_posix()
    return None


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _grams(text: str, most: int) -> list[str]:
    """Up to `most` runs of three characters (two of a short text), evenly spread."""
    width = 3 if len(text) > 4 else 2  # noqa: PLR2004  # a typo in a short word spoils every run of three
    runs = [text[i : i + width] for i in range(max(1, len(text) - width + 1))]
    return runs[:: max(1, -(-len(runs) // most))]


def _shared(grams: list[str], name: str) -> int:
    return sum([gram in name for gram in grams])


def _likeness(compare: SequenceMatcher[str], lowered: str, base: str, name: str) -> float:
    """0..1; the base names weigh twice as much as the whole paths."""
    compare.set_seqs(name, lowered)
    whole = compare.ratio()
    compare.set_seqs(posixpath.basename(name), base)
    return (whole + 2 * compare.ratio()) / 3
