"""What `pincite eval` measures, by what has the known answers.

Enters: a dataset's path and a command's options.
Leaves: a `Measurement`: rows to show, JSON, regressions.
First: `questions`.
Free: how results are shown; metrics are in `services/evaluation`.
Modules: labelled, questions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.services.evaluation.baseline import Baseline
from pincite.transports.cli.printing.output import Output


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of a run.

    Attributes:
        baseline: Its means.
        data: The scores as JSON.
        show: Writes them to standard output.
        complete: False if a document could not be read.
    """

    baseline: Baseline
    data: Mapping[str, Any]
    show: Callable[[Output], None]
    complete: bool = True
