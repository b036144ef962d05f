"""What `pincite eval --check` prints: the means that are lower than in a baseline."""

from collections.abc import Sequence
from pathlib import Path

from pincite.services.evaluation.baseline import Regression
from pincite.transports.cli.output import Output, safe


def print_regressions(output: Output, regressions: Sequence[Regression], check: Path, tolerance: float) -> None:
    """Print the regressions, or that there are none.

    Args:
        output: Where to print.
        regressions: The means that are lower.
        check: File of the baseline.
        tolerance: By how much a mean may be lower.
    """
    file = safe(check.name)
    if not regressions:
        output.line(f"Nothing is below {file} by more than {tolerance:g}.")
        return
    output.line(output.style(f"Below {file} by more than {tolerance:g}:", "red"))
    width = max(len(safe(each.ranker)) for each in regressions)
    for each in regressions:
        output.line(f"{safe(each.ranker):{width}}  {each.measure:9}  {each.was:.3f} -> {each.now:.3f}")
