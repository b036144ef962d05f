"""Hold a coverage report against the gates: lines, branches, and functions entered at all.

python scripts/coverage_gates.py build/coverage.json
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

GATES = {"lines": 90.0, "branches": 85.0, "functions": 95.0}
"""Least per cent of each."""

WORST = 10


def shares(report: Mapping[str, Any]) -> dict[str, float]:
    """What was covered, in per cent."""
    totals = report["totals"]
    entered = [bool(ran) for _, ran in functions(report)]
    return {
        "lines": _percent(totals["covered_lines"], totals["num_statements"]),
        "branches": _percent(totals["covered_branches"], totals["num_branches"]),
        "functions": _percent(sum(entered), len(entered)),
    }


def functions(report: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Every function with a body, and how many of its lines ran."""
    for path, file in report["files"].items():
        for name, region in file["functions"].items():
            if name and region["summary"]["num_statements"]:
                yield f"{path}:{name}", region["summary"]["covered_lines"]


def main(path: str) -> int:
    """Print the shares, and what is missing where a gate is missed.

    Returns:
        1 if a gate is missed.
    """
    report: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    missed = False
    for name, share in shares(report).items():
        below = share < GATES[name]
        missed |= below
        print(f"coverage {name:<9} {share:6.2f} %  (gate {GATES[name]:g} %){'  MISSED' if below else ''}")
    for name, _ in (row for row in functions(report) if not row[1]):
        print(f"  never entered: {name}")
    worst = sorted(report["files"].items(), key=lambda item: item[1]["summary"]["percent_covered"])[:WORST]
    for file, found in worst if missed else ():
        print(f"  {found['summary']['percent_covered']:6.1f} %  {file}")
    return int(missed)


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", help="what `coverage json` wrote")
    sys.exit(main(parser.parse_args().report))
