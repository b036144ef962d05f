"""`pincite status --all` and `--prune`: list and delete the indexes in the cache."""

from pathlib import Path
from typing import Any

from pincite.app import index_path
from pincite.model.units import MEGABYTE
from pincite.sources.paths import unseen
from pincite.store.sqlite.opening import Description, describe, remove
from pincite.text.names.paths import shown
from pincite.transports.cli import configuration
from pincite.transports.cli.output import Output, safe


def run(*, prune: bool, env_file: Path | None, as_json: bool) -> int:
    """List the cached indexes; with `prune`, delete those whose folder no longer exists.

    Delete only files that pincite recognises as its own, and none that a server has open: its folder may come back (an
    unmounted disk, another branch).
    """
    output = Output(as_json=as_json)
    folder = index_path(configuration.for_shell(env_file, None).storage.cache, Path()).parent
    indexes = [
        (path, description) for path in sorted(folder.glob("*.db")) if (description := describe(path)) is not None
    ]
    rows = [_row(path, description, prune=prune) for path, description in indexes]
    output.data({"indexes": rows})
    for row in rows:
        mark = "  removed" if row["removed"] else "  folder is gone" if row["gone"] else ""
        mark += ", kept: a server uses it" if row["in_use"] else ""
        mark += f"  kept: {row['problem']}" if row["problem"] else ""
        output.line(f"{row['size_bytes'] / MEGABYTE:8.1f} MB  {safe(row['folder'])}{mark}")
    if not rows:
        output.line("The cache has no index.")
    return 0


def _row(path: Path, description: Description, *, prune: bool) -> dict[str, Any]:
    problem = unseen(description.source)
    gone = problem == ""
    removed = gone and prune and remove(path)
    return {
        "folder": shown(description.source),
        "db_path": shown(path),
        "size_bytes": description.size_bytes,
        "gone": gone,
        "problem": problem or "",
        "removed": removed,
        "in_use": gone and prune and not removed,
    }
