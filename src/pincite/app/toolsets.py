"""Choose the toolsets to serve."""

import logging
from collections.abc import Callable, Sequence

from pincite.errors import InvalidInput, Unsupported
from pincite.registry import TOOLSETS, ToolsetRow, find
from pincite.runtime.entry_points import broken
from pincite.toolkit import Toolset, tools_of

log = logging.getLogger("pincite.server")


def served_toolsets(names: Sequence[str], *, with_folder: bool) -> Sequence[ToolsetRow]:
    """Return the toolsets to serve.

    Args:
        names: Their names: `all` for all that can be served, none for the default ones, of a folder or of the library.
        with_folder: Whether a folder is served.

    Raises:
        Unsupported: A toolset does not exist.
        InvalidInput: One that is named needs a folder, and there is none.
    """
    possible = [row for row in TOOLSETS if with_folder or "folder" not in row.needs]
    if "all" in names:
        return possible
    unserved = "library" if with_folder else "folder"
    rows = [find(TOOLSETS, name) for name in dict.fromkeys(names)]
    rows = rows or [row for row in TOOLSETS if row.is_default and unserved not in row.needs]
    if missing := next((row for row in rows if row not in possible), None):
        raise InvalidInput(f"The toolset {missing.name} serves a folder. Name it: pincite serve ./docs")
    return rows


def usable_toolsets(
    rows: Sequence[ToolsetRow], made: Callable[[ToolsetRow], Toolset], names: Sequence[str]
) -> Sequence[ToolsetRow]:
    """Return the toolsets; one of another package that cannot be made or has a tool of our names is left out.

    Toolsets are made here only where one is of another package.

    Args:
        rows: The toolsets to serve.
        made: Makes a toolset.
        names: Those that somebody named.

    Raises:
        Unsupported: One that is left out was named.
    """
    foreign = [row for row in rows if row.package]
    taken = {tool.name for row in rows if foreign and not row.package for tool in tools_of(made(row))}
    kept = list(rows)
    for row in foreign:
        try:
            taken |= _new_tools(made(row), taken)
        except Exception as error:
            problem = error.message if isinstance(error, Unsupported) else broken(row.name, row.package, error)
            if row.name in names:
                raise Unsupported(problem) from error
            log.warning("plugin.left_out", extra={"problem": problem})
            kept.remove(row)
    return kept


def _new_tools(toolset: Toolset, taken: set[str]) -> set[str]:
    tools = {tool.name for tool in tools_of(toolset)}
    if clash := sorted(tools & taken):
        raise ValueError(f"the tool {clash[0]} is there already")
    return tools
