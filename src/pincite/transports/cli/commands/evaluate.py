"""`pincite eval`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, Json, Library, LogLevel

program = typer.Typer()


@program.command("eval", epilog="Example: pincite eval questions.tsv --docs ./docs --check baseline.json")
def evaluate(
    dataset: Annotated[
        Path,
        typer.Argument(
            help="TSV file with the columns question, page, heading; BEIR folder; or folder of documents with "
            "schema.json and the expected values of a.pdf in a.json."
        ),
    ],
    docs: Annotated[
        Path | None, typer.Option("--docs", metavar="FOLDER", help="Folder of documents that the questions are about.")
    ] = None,
    library: Library = False,
    sections: Annotated[
        bool | None,
        typer.Option(
            "--sections/--documents",
            help="What to rank. Default: sections if the questions name headings or clauses.",
            show_default=False,
        ),
    ] = None,
    save_baseline: Annotated[
        Path | None, typer.Option("--save-baseline", metavar="FILE", help="Save the mean scores to this file.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check", metavar="FILE", help="Exit with 1 if a mean score is below the one saved in this file."
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0, max=1, help="Drop of a mean score that --check accepts.")
    ] = 0.01,
    engine: Annotated[
        str, typer.Option("--engine", metavar="NAME", help="What extracts the values: rules, claude or auto.")
    ] = "rules",
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Measure search with questions whose answers are known, or extraction with documents whose values are."""
    run(
        "evaluation",
        dataset=dataset,
        docs=docs,
        library=library,
        sections=sections,
        save_baseline=save_baseline,
        check=check,
        tolerance=tolerance,
        engine=engine,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )
