"""`pincite eval` of extraction: documents with the values that they have."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pincite.app import App
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.units import MEGABYTE
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation import labelled
from pincite.services.evaluation.baseline import Regression
from pincite.services.evaluation.field_scores import LabelledScores, Miss, Tally, evaluate
from pincite.services.evaluation.labelled import LabelledSet
from pincite.services.extraction.extraction import extract
from pincite.services.reading.reading import Reading
from pincite.settings import Settings
from pincite.transports import logging
from pincite.transports.cli.convert import file_bytes
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.output import Output, safe
from pincite.transports.cli.regressions import print_regressions

MAX_SHOWN_MISSES = 20
"""Values that are not as expected: more do not fit on a screen; --json has all."""
_MAX_VALUE_CHARS = 40
"""Characters of a value in a list of misses."""
_COLUMNS = ("expected", "answered", "right", "precision", "recall")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command that this kind of dataset takes."""

    engine: str
    save_baseline: Path | None
    check: Path | None
    tolerance: float


def run(folder: Path, options: Options, output: Output, settings: Settings, log_level: str | None) -> int:
    """Extract from each document of a folder and print how many values are as expected.

    Returns:
        1 if a mean is below the baseline or a document was not read, else 0.

    Raises:
        PinciteError: The folder, the baseline or the engine is not usable.
    """
    found = labelled.read(folder)
    before = baselines.read(options.check) if options.check else None
    if before:
        baselines.require_same_documents(before, found.name, len(found.documents))
    logging.configure(settings.logging.level if log_level else "CRITICAL", settings.logging.format or "text")
    with output.progress() as progress:
        scores = measure(settings, found, folder, options.engine, Call(progress=progress))
    rows = scores.rows()
    now = baselines.field_baseline(found.name, len(found.documents), rows)
    falls = baselines.regressions(before, now, options.tolerance) if before else []
    if options.save_baseline:
        baselines.write(now, options.save_baseline)
    output.data(_data(found, scores, rows, falls if before else None))
    _print(output, found, scores, rows)
    if options.check:
        print_regressions(output, falls, options.check, options.tolerance)
    return PARTIAL if falls or scores.failures else SUCCESS


def measure(settings: Settings, found: LabelledSet, folder: Path, engine: str, call: Call) -> LabelledScores:
    """Return the scores of an engine over a set.

    Raises:
        PinciteError: There is no such engine.
    """
    roots = {"allowed_roots": (folder.resolve(),)}
    own = settings.model_copy(update={"extraction": settings.extraction.model_copy(update=roots)})
    max_bytes = int(max(settings.limits.max_file) * MEGABYTE)
    with closing(App(own, None, toolsets=["extraction"])) as app:
        reading = Reading(app.reader_pool)
        # An engine that cannot run is no failure of a document.
        app.engine(engine, found.documents[0].file.resolve())

        def values(file: Path, call: Call) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
            document = reading.read(Blob(file.name, file_bytes(file, max_bytes)), call)
            result = extract(document, found.schema, app.engine(engine, file.resolve()), call, file_name=file.name)
            return result.data, result.evidence

        return evaluate(found, values, call)


def _print(output: Output, found: LabelledSet, scores: LabelledScores, rows: Mapping[str, Tally]) -> None:
    width = max(map(len, rows))
    output.line(f"{safe(found.name)}: {len(found.documents)} documents")
    output.line(output.style(f"{'field':{width}}  " + "  ".join(f"{name:>9}" for name in _COLUMNS), "dim"))
    for name, row in rows.items():
        counts = "  ".join(f"{count:9}" for count in (row.expected, row.answered, row.right))
        output.line(f"{safe(name):{width}}  {counts}  {row.precision:9.3f}  {row.recall:9.3f}")
    for miss in scores.misses[:MAX_SHOWN_MISSES]:
        output.line(_miss(miss))
    if len(scores.misses) > MAX_SHOWN_MISSES:
        output.line(f"… and {len(scores.misses) - MAX_SHOWN_MISSES} more: --json lists all.")
    for name, reason in scores.failures.items():
        output.note(f"{name} was not read: {reason}")


def _miss(miss: Miss) -> str:
    expected, found = (_shown(value) for value in (miss.expected, miss.found))
    verified = " (verified)" if miss.verified else ""
    return f"{safe(miss.document)}: {safe(miss.field)} should be {expected}, is {found}{verified}"


def _shown(value: Any) -> str:
    text = "empty" if value is None else safe(str(value)).replace("\n", " ")
    return text if len(text) <= _MAX_VALUE_CHARS else text[: _MAX_VALUE_CHARS - 1] + "…"


def _data(
    found: LabelledSet, scores: LabelledScores, rows: Mapping[str, Tally], falls: list[Regression] | None
) -> dict[str, Any]:
    return {
        "dataset": found.name,
        "documents": len(found.documents),
        "fields": {
            name: asdict(row) | {"precision": row.precision, "recall": row.recall} for name, row in rows.items()
        },
        "misses": [asdict(miss) for miss in scores.misses],
        "failures": scores.failures,
        "fallen": None if falls is None else [asdict(fall) for fall in falls],
    }
