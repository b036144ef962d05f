"""Save the means of a run as a baseline, and find regressions of a later run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError

from pincite.errors import ConfigError, InvalidInput
from pincite.services.evaluation.field_scores import Tally
from pincite.services.evaluation.rankers import GREP
from pincite.services.evaluation.run import Scores

DIGITS = 4
"""Decimals of a baseline: a smaller difference is noise."""

ROUNDING = 10**-DIGITS
"""Maximum difference between two means caused by rounding both."""

Ranked = Literal["sections", "documents", "fields"]


class Baseline(BaseModel):
    """The saved result of a run.

    Attributes:
        dataset: The dataset's name.
        questions: Number of questions; of an extraction the number of documents.
        ranked: Whether sections or documents were ranked; of an extraction the fields that were compared.
        means: Mean by ranker and metric; of an extraction by field.
    """

    dataset: str
    questions: Annotated[int, Field(ge=1)]
    ranked: Ranked
    means: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Regression:
    """A mean that is lower than in the baseline."""

    ranker: str
    measure: str
    was: float
    now: float


def baseline(dataset: str, rows: Sequence[Scores], ranked: Ranked) -> Baseline:
    """Return the baseline of a run with at least one ranker."""
    return Baseline(
        dataset=dataset,
        questions=max(len(column) for row in rows for column in row.values.values()),
        ranked=ranked,
        means={row.name: {name: round(value.mean, DIGITS) for name, value in row.means.items()} for row in rows},
    )


def field_baseline(dataset: str, documents: int, rows: Mapping[str, Tally]) -> Baseline:
    """Return the baseline of an extraction."""
    means = {
        name: {"precision": round(row.precision, DIGITS), "recall": round(row.recall, DIGITS)}
        for name, row in rows.items()
    }
    return Baseline(dataset=dataset, questions=documents, ranked="fields", means=means)


def write(kept: Baseline, file: Path) -> None:
    """Write a baseline to a file.

    Raises:
        ConfigError: The file cannot be written.
    """
    try:
        file.write_text(json.dumps(kept.model_dump(), indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise ConfigError(f"{file.name} cannot be written: {fault.strerror}. Name another file.") from fault


def read(file: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InvalidInput: The file does not exist or is not a baseline.
    """
    try:
        return Baseline.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as fault:
        raise InvalidInput(f"{file.name} is not a baseline. Make one: pincite eval … --save-baseline FILE") from fault


def require_same(before: Baseline, dataset: str, questions: int, ranked: Ranked) -> None:
    """Validate that a run and the baseline have the same questions or documents: else their means are not comparable.

    Raises:
        InvalidInput: They differ.
    """
    was, now = (before.dataset, before.questions, before.ranked), (dataset, questions, ranked)
    if was != now:
        difference = "; this run is of ".join(
            f"{name}, {count} documents" if kind == "fields" else f"{name}, {count} questions, {kind} ranked"
            for name, count, kind in (was, now)
        )
        raise InvalidInput(
            f"The baseline belongs to another run, of {difference}. Save one of this run: --save-baseline FILE"
        )


def regressions(before: Baseline, now: Baseline, tolerance: float) -> list[Regression]:
    """Return every mean that is lower than the baseline's by more than the tolerance.

    `grep` is a reference, not a part of pincite, and is not compared.

    Raises:
        InvalidInput: The baseline has a metric that is not measured any more.
    """
    pairs = [(ranker, measure) for ranker in before.means if ranker != GREP for measure in before.means[ranker]]
    changes = [Regression(*pair, was=_mean(before.means, *pair), now=_mean(now.means, *pair)) for pair in pairs]
    return [change for change in changes if change.now < change.was - tolerance - ROUNDING]


def _mean(means: Mapping[str, Mapping[str, float]], ranker: str, measure: str) -> float:
    if measure not in means.get(ranker, {}):
        raise InvalidInput(f"The baseline has {measure} of {ranker!r}, which is not measured. Save one of this run.")
    return means[ranker][measure]
