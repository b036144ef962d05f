"""`pincite convert`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite convert report.docx > report.md")
def convert(
    file: Annotated[Path, typer.Argument(help="File to convert, in any supported format.", show_default=False)],
    page: Annotated[int | None, typer.Option("--page", help="Convert only this page.", show_default=False)] = None,
    boxes: Annotated[
        Path | None,
        typer.Option(
            "--boxes",
            metavar="PNG",
            help="Write an image of that PDF page with its blocks outlined.",
            show_default=False,
        ),
    ] = None,
    hidden: Annotated[
        bool,
        typer.Option(
            "--hidden",
            help="Print only what is not indexed, and why: hidden text, and the surroundings of a web page's content.",
        ),
    ] = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Print a document as Markdown, as it is indexed and cited; --json prints its blocks and tables."""
    run(
        "convert",
        file=file,
        page=page,
        boxes=boxes,
        hidden=hidden,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )
