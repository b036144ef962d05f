"""`pincite eval`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel

program = typer.Typer()


@program.command("eval", epilog="Example: pincite eval questions.tsv --docs ./docs --check baseline.json")
def evaluate(
    dataset: Annotated[
        Path, typer.Argument(help="A BEIR folder, or a file of lines: question, page, heading, with tabs between.")
    ],
    docs: Annotated[
        Path | None, typer.Option("--docs", metavar="FOLDER", help="The documents that the questions are about.")
    ] = None,
    sections: Annotated[
        bool | None,
        typer.Option(
            "--sections/--documents",
            help="What is ranked; sections where the questions name headings.",
            show_default=False,
        ),
    ] = None,
    save_baseline: Annotated[
        Path | None, typer.Option("--save-baseline", metavar="FILE", help="Keep the means in this file.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE", help="Exit 1 if a mean is below those kept in this file.")
    ] = None,
    tolerance: Annotated[float, typer.Option("--tolerance", min=0, max=1, help="How far below is still well.")] = 0.01,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Measure how well questions with known answers are answered, beside a plain word search."""
    run(
        "evaluation",
        dataset=dataset,
        docs=docs,
        sections=sections,
        save_baseline=save_baseline,
        check=check,
        tolerance=tolerance,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )
