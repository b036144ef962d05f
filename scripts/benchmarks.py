"""Write `docs/benchmarks.md` and the comparison in the README from `bench/results/*.jsonl`: `make benchmarks`.

A line of these files is one run. Append a line to record a new one: of each metric and set the last line is in force,
earlier ones are history. Fields: `metric`, `set`, `data` (`given` was looked at while pincite was written, `unseen` was
not), `value` (a number, or the lowest and the highest of a run), `of` (what it counts out of), `unit`, `better`
(`higher` or `lower`), `target`, `peer` (the best one: `name`, `mode`, `value`; or null), `command`, `commit`, `date`,
`machine`, and `readme` (the sentence by which the README shows the row).
`tests/drift/test_benchmarks.py` fails while a page differs.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
PAGE, README = ROOT / "docs" / "benchmarks.md", ROOT / "README.md"
BEGIN, END = "<!-- made by `make benchmarks` -->\n", "<!-- end -->"
TITLES = {
    "reading": "Reading files",
    "retrieval": "Finding passages",
    "standards": "Standards",
    "extraction": "Extracting values",
    "speed": "Speed and memory",
}
"""Sections of the page in their order, by the name of their file."""
Number = float | list[float]


class Peer(TypedDict):
    """The best other program on the same data."""

    name: str
    mode: str
    value: Number


class Run(TypedDict):
    """One line of a file of results."""

    metric: str
    set: str
    data: str
    value: Number
    of: NotRequired[int]
    unit: str
    better: str
    target: float | None
    peer: Peer | None
    command: str
    commit: str
    date: str
    machine: str
    readme: NotRequired[str]


def in_force(name: str) -> list[Run]:
    """Return the last run of each metric and set, in the order of their first ones."""
    runs: dict[tuple[str, str], Run] = {}
    for line in (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        run: Run = json.loads(line)
        runs[run["metric"], run["set"]] = run
    return list(runs.values())


def page() -> str:
    """Every metric with its value in force, its target, the best peer and the command."""
    dates = [run["date"] for name in TITLES for run in in_force(name)]
    lines = [
        "# Benchmarks",
        "",
        "<!-- Made from bench/results by `make benchmarks`: do not edit. -->",
        "",
        f"One row a metric, measured from {min(dates)} to {max(dates)} on two shared cores; `bench/results` has the",
        "commit of each. *Given* data was looked at while pincite was written, *unseen* data was not. *Held out* sets",
        "are kept by others and are not in the project. Commands run with the interpreter of `.venv`; `--help` says",
        "what they need. The best peer is shown in each row, also where it is better. With `<` less is better.",
    ]
    for name, title in TITLES.items():
        lines += [
            "",
            f"## {title}",
            "",
            "|metric|data|pincite|target|best peer|command|day|",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [f"|{'|'.join(_cells(run))}|" for run in in_force(name)]
    return "\n".join([*lines, ""])


def comparison() -> str:
    """The README's table: rows that have a sentence for it."""
    runs = [run for name in TITLES for run in in_force(name) if "readme" in run]
    lines = ["", "| measured | pincite | best other |", "|---|---|---|"]
    lines += [f"| {run.get('readme')} | {_value(run)} | {_peer(run) or '–'} |" for run in runs]
    return "\n".join([*lines, "", ""])


def readme() -> str:
    """The README with its table written anew."""
    text = README.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.partition(BEGIN)[2].partition(END)[2]
    return f"{before}{BEGIN}{comparison()}{END}{after}"


def _cells(run: Run) -> Iterator[str]:
    yield f"{run['metric']}{' <' if run['better'] == 'lower' else ''}"
    yield f"{run['data']}: {run['set']}"
    yield _value(run)
    yield "" if run["target"] is None else _shown(run["target"], run)
    yield _peer(run)
    is_file = run["command"].startswith(("bench/", "eval/", "pincite "))
    yield f"`{run['command']}`" if is_file else run["command"]
    yield run["date"]


def _value(run: Run) -> str:
    whole = f" of {run['of']:,}" if "of" in run else ""
    return f"{_shown(run['value'], run)}{whole}"


def _peer(run: Run) -> str:
    peer = run["peer"]
    return f"{_shown(peer['value'], run)} {peer['name']} ({peer['mode']})" if peer else ""


def _shown(value: Number, run: Mapping[str, object]) -> str:
    unit = f" {run['unit']}" if run["unit"] else ""
    numbers = value if isinstance(value, list) else [value]
    return "–".join(_number(number) for number in numbers) + unit


def _number(value: float) -> str:
    if isinstance(value, int) or value > 1:
        return f"{value:,}"
    return max(f"{value:.2f}", f"{value:g}", key=len).removeprefix("0")


PAGES = {PAGE: page, README: readme}


def main() -> None:
    """Write both pages."""
    for file, make in PAGES.items():
        file.write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
