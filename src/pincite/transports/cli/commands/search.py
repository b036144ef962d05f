"""`pincite search`."""

from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Json, LogLevel

program = typer.Typer()


@program.command(epilog='Example: pincite search "how do I rotate the keys" --docs ./docs')
def search(
    query: Annotated[str, typer.Argument(help="A question, keywords or an identifier.")],
    docs: Docs = HERE,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=20, help="How many passages.")] = 5,
    file_filter: Annotated[
        str | None,
        typer.Option("--filter", metavar="GLOB", help="Only paths that match, e.g. 'guides/**/*.md'."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Search a folder by word and by meaning; the first search of a folder indexes it and waits."""
    run(
        "search",
        query=query,
        docs=docs,
        top_k=top_k,
        file_filter=file_filter,
        explain=explain,
        db=db,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )
