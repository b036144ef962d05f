"""`pincite ingest`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite ingest ./standards")
def ingest(
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="SOURCE...", help="Files or folders.", show_default=False)
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive/--no-recursive", help="Ingest the files of sub-folders, too.")
    ] = True,
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern",
            metavar="GLOBS",
            help="Names of files to ingest, with commas between, as '*.pdf,*.md'. Default: every supported format.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Write nothing; with --json, print each chunk with its tags, one a line."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Read and cut unchanged documents again.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents whose files are gone; --dry-run lists them.")
    ] = False,
    from_mirror: Annotated[
        bool,
        typer.Option("--from-mirror", help="Make the library from what VECTOR_STORE holds, as on another machine."),
    ] = False,
    to_mirror: Annotated[
        bool, typer.Option("--to-mirror", help="Make VECTOR_STORE a copy of the library, even if it holds another one.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line for each file.")] = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text; with --dry-run, one a chunk.")
    ] = False,
) -> None:
    """Add files to the library in DATA_DIR, which `pincite serve --toolsets knowledge` answers from.

    Unchanged files are skipped, so the same command indexes what changed, or continues where it was interrupted.
    """
    run(
        "ingest",
        sources=sources or [],
        recursive=recursive,
        patterns=[each.strip() for each in (pattern or "").split(",") if each.strip()],
        dry_run=dry_run,
        force=force,
        prune=prune,
        from_mirror=from_mirror,
        to_mirror=to_mirror,
        verbose=verbose,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )
