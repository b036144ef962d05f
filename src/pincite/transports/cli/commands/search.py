"""`pincite search`."""

from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Json, Library, LogLevel

program = typer.Typer()


@program.command(epilog='Example: pincite search "how do I rotate the keys" --docs ./docs')
def search(
    query: Annotated[str, typer.Argument(help="A question, keywords or an identifier.")],
    docs: Docs = HERE,
    library: Library = False,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=20, help="Maximum number of passages.")] = 5,
    file_filter: Annotated[
        str | None,
        typer.Option("--filter", metavar="GLOB", help="Search only files whose path matches, e.g. 'guides/**/*.md'."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each score is made up.")] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Search a folder, or the library, by keyword and by meaning.

    The first search of a folder indexes it; later ones index only what has changed.
    """
    if library:
        run("library", "search", query=query, top_k=top_k, env_file=env_file, log_level=log_level, as_json=as_json)
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
