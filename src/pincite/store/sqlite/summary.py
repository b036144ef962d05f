"""What an index file holds, read in milliseconds without opening the index: for the first words of a server."""

import sqlite3
from pathlib import Path

from pincite.store.rows import to_text

BUSY_SECONDS = 0.05

_FEW = 200
"""Titles that are read; the shallowest documents, and of those the longest, say best what a folder is about."""

_READABLE = "FROM document WHERE failure = ''"
_SHALLOW = (
    f"SELECT name, coalesce(nullif(title, ''), first_h1, '') {_READABLE} "
    "ORDER BY length(name) - length(replace(name, '/', '')), total_chars DESC, name LIMIT ?"
)


def summary(location: Path, source: str) -> tuple[int, list[tuple[str, str]]] | None:
    """Return the number of readable documents, and name and title of the shallowest and longest of them.

    Args:
        location: The index file.
        source: What must have been indexed into it; see `Spec.identity`.

    Returns:
        None if there is no index of this source, or it cannot be read at once.
    """
    if not location.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{location.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
        try:
            row = connection.execute("SELECT value FROM meta WHERE key = 'source'").fetchone()
            if row is None or to_text(row[0]) != source:
                return None
            count: int = connection.execute(f"SELECT count(*) {_READABLE}").fetchone()[0]
            rows = connection.execute(_SHALLOW, (_FEW,)).fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return None
    return count, [(to_text(name), to_text(title)) for name, title in rows]
