"""A run's means, kept in a small file, and what of a later run fell below them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError

from pincite.errors import ConfigError, InvalidInput
from pincite.services.evaluation.rankers import GREP
from pincite.services.evaluation.run import Scores

DIGITS = 4

ROUNDING = 10**-DIGITS
"""Two means may differ by this much because both were rounded."""


class Baseline(BaseModel):
    """What is kept of a run.

    Attributes:
        dataset: The name of the questions.
        questions: How many were asked.
        ranked: What the lists held.
        means: Ranker → measure → mean.
    """

    dataset: str
    questions: Annotated[int, Field(ge=1)]
    ranked: Literal["sections", "documents"]
    means: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Fall:
    """A mean that is lower than it was."""

    ranker: str
    measure: str
    was: float
    now: float


def baseline(dataset: str, rows: Sequence[Scores], *, sections: bool) -> Baseline:
    """What is kept of a run of at least one ranker."""
    return Baseline(
        dataset=dataset,
        questions=max(len(column) for row in rows for column in row.values.values()),
        ranked=_ranked(sections=sections),
        means={row.name: {name: round(value.mean, DIGITS) for name, value in row.means.items()} for row in rows},
    )


def write(kept: Baseline, file: Path) -> None:
    """Keep it.

    Raises:
        ConfigError: The file cannot be written.
    """
    try:
        file.write_text(json.dumps(kept.model_dump(), indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise ConfigError(f"{file.name} cannot be written: {fault.strerror}. Name another file.") from fault


def read(file: Path) -> Baseline:
    """What was kept.

    Raises:
        InvalidInput: The file is not there, or is not what `write` wrote.
    """
    try:
        return Baseline.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as fault:
        raise InvalidInput(f"{file.name} is not a baseline. Make one: pincite eval … --save-baseline FILE") from fault


def require_same(before: Baseline, dataset: str, questions: int, *, sections: bool) -> None:
    """Make sure that a run asks what the baseline's run asked: else their means say nothing of each other.

    Raises:
        InvalidInput: It does not.
    """
    was = before.dataset, before.questions, before.ranked
    now = dataset, questions, _ranked(sections=sections)
    if was != now:
        told = "; this run asks ".join(
            f"{name}, {count} questions, {ranked} ranked" for name, count, ranked in (was, now)
        )
        raise InvalidInput(
            f"The baseline belongs to another run: it asked {told}. Save one of this run: --save-baseline FILE"
        )


def fallen(before: Baseline, now: Baseline, tolerance: float) -> list[Fall]:
    """Every mean that is lower than it was by more than the tolerance, of two runs that asked the same.

    `grep` stands beside pincite and is no part of it: it is not held to what it was.

    Raises:
        InvalidInput: The baseline holds what is not measured any more.
    """
    pairs = [(ranker, measure) for ranker in before.means if ranker != GREP for measure in before.means[ranker]]
    falls = [Fall(*pair, was=_mean(before.means, *pair), now=_mean(now.means, *pair)) for pair in pairs]
    return [fall for fall in falls if fall.now < fall.was - tolerance - ROUNDING]


def _ranked(*, sections: bool) -> Literal["sections", "documents"]:
    return "sections" if sections else "documents"


def _mean(means: Mapping[str, Mapping[str, float]], ranker: str, measure: str) -> float:
    if measure not in means.get(ranker, {}):
        raise InvalidInput(f"The baseline has {measure} of {ranker!r}, which is not measured. Save one of this run.")
    return means[ranker][measure]
