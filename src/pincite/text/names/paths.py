"""Resolve paths that callers write to document names, and suggest similar names."""

import os
import posixpath
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from heapq import nlargest
from pathlib import Path
from unicodedata import normalize

from pincite.errors import Ambiguous, InvalidInput
from pincite.text.excerpt import excerpt, excerpts

_WILDCARD = re.compile(r"[*?\[{\\]")
_LEADING = re.compile(r"\A(?:\.?/+)+")

# Comparing two names takes quadratic time: only the likeliest are compared, by their first characters.
MAX_CANDIDATES = 48
MAX_GRAMS = 12
MIN_SIMILARITY = 0.4
MAX_COMPARED_CHARS = 300

MAX_PATH_CHARS = 32_767
"""The limit of Windows, the highest of any system."""

MAX_ABSOLUTE_CHARS = 4_096
"""`PATH_MAX` of Linux. Each parent of an absolute path costs a file system call, so a longer one is not resolved."""


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path as text, with U+FFFD for bytes that are not UTF-8 (Linux allows any in a folder's name)."""
    return os.fsencode(path).decode("utf-8", "replace")


def relative(requested: str, root: Path) -> str:
    """Return the document name (relative path with `/`) of a path.

    An absolute path inside the folder is made relative, also through a symbolic link to the folder;
    from any other path a leading `./` or `/` is stripped. `a/./b`, `a//b` and `a/../b` are simplified.

    Args:
        requested: The path as the caller wrote it.
        root: The folder, absolute and without symbolic links.

    Raises:
        InvalidInput: The path is empty, too long, contains a NUL, or leaves the folder.
    """
    if not requested.strip():
        raise InvalidInput("file_path parameter is required")
    if len(requested) > MAX_PATH_CHARS:
        raise InvalidInput(f"file_path has {len(requested):,} characters; the maximum is {MAX_PATH_CHARS:,}.")
    # No system has such a path, and Python raises a ValueError for it.
    if "\0" in requested:
        raise InvalidInput("file_path contains a NUL character. Take a path from list_pages.")
    name = posixpath.normpath((_inside(requested, root) or requested).lstrip("/") or ".")
    if name == ".." or name.startswith("../"):
        raise InvalidInput("file_path leaves the folder. Take a path from list_pages.")
    if name == ".":
        raise InvalidInput("file_path names the folder itself. Use list_pages to see what is in it.")
    return name


def from_root(written: str, root: Path) -> str:
    """Return a path or glob relative to the folder.

    As in `relative`, an absolute path inside the folder is made relative, and from any other a leading `./` or `/`
    is stripped.

    Args:
        written: The path or glob as the caller wrote it; only the folders before the first wildcard are resolved.
        root: The folder, absolute and without symbolic links.
    """
    wildcard_match = _WILDCARD.search(written)
    literal = written if wildcard_match is None else written[: written.rfind("/", 0, wildcard_match.start()) + 1]
    inside = _inside(literal, root)
    pattern = written[len(literal) :]
    if inside is not None:
        return (pattern if inside == "." else posixpath.join(inside, pattern)) if pattern else inside
    return _LEADING.sub("", written)


def equivalent(name: str, names: Iterable[str]) -> str:
    """Return the one of these names that is canonically equivalent: `é` may be one character or two.

    Returns:
        The name itself if it is one of them, or if none is equivalent.

    Raises:
        Ambiguous: Several are, and none is exactly this one.
    """
    composed = normalize("NFC", name)
    matches = {known for known in names if normalize("NFC", known) == composed}
    if name in matches or not matches:
        return name
    if len(matches) > 1:
        raise Ambiguous(
            f"{excerpt(name)} may be {excerpts(sorted(matches), ' or ')}: their names look alike and have other "
            "characters. Copy one from where it is listed."
        )
    return matches.pop()


def nearest(requested: str, names: Iterable[str], n: int) -> list[str]:
    """Return up to n of these names, the most similar to the requested one first; none below `MIN_SIMILARITY`.

    The base name counts twice as much as the whole path; letter case is ignored.
    """
    lowered = requested[:MAX_COMPARED_CHARS].lower()
    base = posixpath.basename(lowered) or lowered
    grams = _grams(base, MAX_GRAMS) + _grams(lowered, MAX_GRAMS // 2)
    likely = nlargest(MAX_CANDIDATES, ((_shared_grams(grams, name.lower()), name) for name in names))
    # One matcher for all names. `autojunk` would ignore frequent characters of long names.
    compare = SequenceMatcher(autojunk=False)
    scored: list[tuple[float, str]] = []
    for shared, name in likely:
        similarity = _similarity(compare, lowered, base, name[:MAX_COMPARED_CHARS].lower()) if shared else 0
        if similarity >= MIN_SIMILARITY:
            scored.append((-similarity, name))
    return [name for _, name in sorted(scored)[:n]]


def _inside(requested: str, root: Path) -> str | None:
    """An absolute path relative to the folder; None if it is not absolute or is outside."""
    # A Path would swallow `..` and trailing parts here.
    if not os.path.isabs(requested) or len(requested) > MAX_ABSOLUTE_CHARS:  # noqa: PTH117
        return None
    path = Path(posixpath.normpath(requested) if os.sep == "/" else requested)
    # The file itself need not exist, so its parents are compared with the root, not its resolved path.
    for folder in (path, *path.parents):
        if folder == root or _is_same_folder(folder, root):
            return path.relative_to(folder).as_posix()
    return None


def _is_same_folder(folder: Path, target: Path) -> bool:
    try:
        return folder.samefile(target)
    except (OSError, ValueError):
        return False


def _grams(text: str, max_grams: int) -> list[str]:
    """Up to `max_grams` runs of three characters (two of a short text), evenly spread."""
    # Runs of characters survive a typo elsewhere in the name, and are found without comparing it in full.
    width = 3 if len(text) > 4 else 2  # noqa: PLR2004  # a typo in a short word spoils every run of three
    runs = [text[i : i + width] for i in range(max(1, len(text) - width + 1))]
    return runs[:: max(1, -(-len(runs) // max_grams))]


def _shared_grams(grams: list[str], name: str) -> int:
    return sum([gram in name for gram in grams])


def _similarity(compare: SequenceMatcher[str], lowered: str, base: str, name: str) -> float:
    """0..1; the base names count twice as much as the whole paths."""
    compare.set_seqs(name, lowered)
    whole = compare.ratio()
    compare.set_seqs(posixpath.basename(name), base)
    return (whole + 2 * compare.ratio()) / 3
