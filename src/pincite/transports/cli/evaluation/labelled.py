"""`pincite eval` of extraction: documents with the values that they have."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pincite.model.call import Call
from pincite.services.evaluation import baseline as baselines
from pincite.services.evaluation import labelled
from pincite.services.evaluation.baseline import Baseline
from pincite.services.evaluation.field_scores import LabelledScores, Miss, Tally, evaluate
from pincite.services.extraction.extraction import extract
from pincite.services.reading.reading import Reading
from pincite.settings import Settings
from pincite.text.counts import counted
from pincite.transports.cli.evaluation import Measurement
from pincite.transports.cli.opening.applications import opened_for_extraction, read_blob
from pincite.transports.cli.printing.output import Output, safe

MAX_SHOWN_MISSES = 20
"""Values that are not as expected: more do not fit on a screen; --json has all."""
_MAX_VALUE_CHARS = 40
"""Characters of a value in a list of misses."""
_COLUMNS = ("expected", "answered", "right", "precision", "recall")


def measure(settings: Settings, folder: Path, engine: str, before: Baseline | None, call: Call) -> Measurement:
    """Return how many values of each field an engine extracts as expected.

    Args:
        settings: The settings.
        folder: The documents with their values.
        engine: The name of the engine.
        before: The baseline that the run is compared with.
        call: Carries the deadline and the progress.

    Raises:
        PinciteError: The folder, the baseline or the engine is not usable.
    """
    labelled_set = labelled.read(folder)
    if before:
        baselines.require_same(before, labelled_set.name, len(labelled_set.documents), "fields")
    with opened_for_extraction(settings, folder) as app:
        reading = Reading(app.reader_pool)
        # An engine that cannot run is no failure of a document.
        app.engine(engine, labelled_set.documents[0].file.resolve())

        def values(file: Path, call: Call) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
            document = reading.read(read_blob(file, settings), call)
            chosen = app.engine(engine, file.resolve())
            result = extract(document, labelled_set.schema, chosen, call, file_name=file.name)
            return result.data, result.evidence

        scores = evaluate(labelled_set, values, call)
    rows = scores.rows()
    now = baselines.field_baseline(labelled_set.name, len(labelled_set.documents), rows)
    data = {
        "dataset": now.dataset,
        "documents": now.questions,
        "fields": {
            name: asdict(row) | {"precision": row.precision, "recall": row.recall} for name, row in rows.items()
        },
        "misses": [asdict(miss) for miss in scores.misses],
        "failures": scores.failures,
    }
    return Measurement(now, data, lambda output: _print(output, now, scores, rows), not scores.failures)


def _print(output: Output, now: Baseline, scores: LabelledScores, rows: Mapping[str, Tally]) -> None:
    width = max(map(len, rows))
    output.line(f"{safe(now.dataset)}: {counted(now.questions, 'document')}")
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
    expected, extracted = (_shown(value) for value in (miss.expected, miss.found))
    verified = " (verified)" if miss.verified else ""
    return f"{safe(miss.document)}: {safe(miss.field)} should be {expected}, is {extracted}{verified}"


def _shown(value: Any) -> str:
    text = "empty" if value is None else safe(str(value)).replace("\n", " ")
    return text if len(text) <= _MAX_VALUE_CHARS else text[: _MAX_VALUE_CHARS - 1] + "…"
