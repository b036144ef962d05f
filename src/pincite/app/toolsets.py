"""Choose the toolsets to serve."""

from collections.abc import Sequence

from pincite.errors import InvalidInput
from pincite.registry import TOOLSETS, ToolsetRow, find


def served_toolsets(names: Sequence[str], *, with_folder: bool) -> Sequence[ToolsetRow]:
    """Return the toolsets to serve.

    Args:
        names: Their names: `all` for all that can be served, none for the default ones.
        with_folder: Whether a folder is served.

    Raises:
        Unsupported: A toolset does not exist.
        InvalidInput: One that is named needs a folder, or none is named and there is no folder.
    """
    possible = [row for row in TOOLSETS if with_folder or "folder" not in row.needs]
    if "all" in names:
        return possible
    if not names and not with_folder:
        raise InvalidInput("Name the folder to serve: pincite serve ./docs")
    rows = [find(TOOLSETS, name) for name in dict.fromkeys(names)] or [row for row in possible if row.is_default]
    if missing := next((row for row in rows if row not in possible), None):
        raise InvalidInput(f"The toolset {missing.name} serves a folder. Name it: pincite serve ./docs")
    return rows
