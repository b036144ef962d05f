"""`pincite eval`: measure search with questions, or extraction with documents, whose answers are known."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation.baseline import Regression
from pincite.services.evaluation.labelled import is_labelled
from pincite.transports.cli.evaluation import labelled, questions
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import Engine, EnvFile, Json, Library, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()


@program.command("eval", epilog="Example: pincite eval questions.tsv --docs ./docs --check baseline.json")
def evaluate(
    dataset: Annotated[
        Path,
        typer.Argument(
            metavar="DATASET",
            help="TSV file with the columns question, page, heading; BEIR folder; or folder of documents with "
            "schema.json and the expected values of a.pdf in a.json.",
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
    engine: Engine = "rules",
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Measure search with questions whose answers are known, or extraction with documents whose values are."""
    output = Output(as_json=as_json)
    settings = configuration.for_shell(env_file, log_level, docs)
    before = baselines.read(check) if check else None
    with output.progress() as progress:
        call = Call(progress=progress)
        if is_labelled(dataset):
            if docs is not None or sections is not None or library:
                raise InvalidInput(
                    f"{dataset.name} has documents with expected values. Leave --docs, --library and --sections out."
                )
            measured = labelled.measure(settings, dataset, engine, before, call)
        else:
            measured = questions.measure(settings, dataset, docs, before, call, library=library, sections=sections)
    falls = baselines.regressions(before, measured.baseline, tolerance) if before else []
    if save_baseline:
        baselines.write(measured.baseline, save_baseline)
    output.data({**measured.data, "fallen": [asdict(fall) for fall in falls] if before else None})
    measured.show(output)
    if check:
        _print_regressions(output, falls, check, tolerance)
    return SUCCESS if measured.complete and not falls else PARTIAL


def _print_regressions(output: Output, falls: Sequence[Regression], check: Path, tolerance: float) -> None:
    file = safe(check.name)
    if not falls:
        output.line(f"Nothing is below {file} by more than {tolerance:g}.")
        return
    output.line(output.style(f"Below {file} by more than {tolerance:g}:", "red"))
    width = max(len(safe(fall.ranker)) for fall in falls)
    for fall in falls:
        output.line(f"{safe(fall.ranker):{width}}  {fall.measure:9}  {fall.was:.3f} -> {fall.now:.3f}")
