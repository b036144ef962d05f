"""What a person names to be searched: a folder, or one file in it."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from pincite.errors import InvalidInput
from pincite.text.excerpt import excerpt

_SPECIAL = re.compile(r"[\\*?\[\]{},]")
"""Characters with a meaning in a glob."""


def split_place(words: Sequence[str], docs: Path | None) -> tuple[Sequence[str], Path | None]:
    """Return the words of a query, and the folder or file that is searched.

    The last word is one if it looks like a path and exists, unless `docs` names one already.
    """
    if docs is None and len(words) > 1 and is_place(words[-1]):
        return words[:-1], Path(words[-1]).expanduser()
    return words, docs


def missing_place(words: Sequence[str]) -> str:
    """Return the last word of a query if it can only be meant as a path and is none, else an empty text."""
    last = words[-1] if len(words) > 1 else ""
    return last if last.startswith(("./", "../", "~/", "/")) and not is_place(last) else ""


def is_place(word: str) -> bool:
    """Return True if a word looks like a path (`./docs`, `~/docs`, `docs/`) and exists."""
    looks_so = "/" in word or os.sep in word or word.startswith((".", "~"))
    return looks_so and os.path.exists(os.path.expanduser(word))  # noqa: PTH110, PTH111 - False for any text


def folder_of(docs: Path) -> Path:
    """Return the folder that is searched: of a file, the one that it is in."""
    return docs.parent if _is_file(docs) else docs


def existing(folder: Path) -> Path:
    """Return a folder.

    Raises:
        InvalidInput: It does not exist.
    """
    if not folder.is_dir():
        raise InvalidInput(f"There is no folder {excerpt(str(folder))!r} here. Check the path.")
    return folder


def filter_of(docs: Path, pattern: str | None) -> str | None:
    r"""Return the glob of the paths that are searched; None for all.

    A pattern without a folder matches in all of them, and one that ends in `/` all below it. A file is searched alone.

    Raises:
        InvalidInput: A file and a pattern are named.
    """
    if _is_file(docs):
        if pattern is not None:
            raise InvalidInput("One file is searched: name it, or a folder with --filter.")
        return _SPECIAL.sub(r"\\\g<0>", docs.name)
    if not pattern or "/" in pattern.rstrip("/"):
        return pattern
    return f"**/{pattern}**" if pattern.endswith("/") else f"**/{pattern}"


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - False, not an error, for a name of any length
