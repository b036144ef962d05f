"""What no checker follows: pages made of results, functions that are named as strings, the help of every command."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
MOST_WORDS = 1500

HELP = """
import contextlib, io, json, runpy, sys
codes, path, folders = {}, list(sys.path), tuple({command.rpartition("/")[0] + "/" for command in sys.argv[1:]})
for command in sys.argv[1:]:
    printed = io.StringIO()
    sys.argv, sys.path[:] = [command, "--help"], [command.rpartition("/")[0], *path]
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(command, run_name="__main__")
    except BaseException as error:
        codes[command] = "usage: " in printed.getvalue() if isinstance(error, SystemExit) else repr(error)
    # Of two folders, modules may have one name.
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(folders):
            del sys.modules[name]
print(json.dumps(codes))
"""
"""Runs commands with --help one after the other in one process, which imports once what they share."""


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks", ROOT / "scripts" / "benchmarks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


benchmarks = _script()
RUNS: list[dict[str, Any]] = [run for name in benchmarks.TITLES for run in benchmarks.in_force(name)]


def test_the_page_and_the_comparison_show_the_results() -> None:
    for file, make in benchmarks.PAGES.items():
        assert file.read_text(encoding="utf-8") == make(), f"run `make benchmarks`: {file.name}"
    assert len(benchmarks.PAGE.read_text(encoding="utf-8").split()) <= MOST_WORDS
    assert {file.stem for file in benchmarks.RESULTS.glob("*.jsonl")} == set(benchmarks.TITLES)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run['metric']}, {run['set']}")
def test_a_result_says_all_that_makes_it_comparable(run: dict[str, Any]) -> None:
    assert {"metric", "set", "data", "value", "unit", "better", "target", "peer"} < set(run)
    assert {"command", "commit", "date", "machine"} < set(run)
    assert run["data"] in {"given", "unseen"} and run["better"] in {"higher", "lower"}
    assert run["peer"] is None or set(run["peer"]) == {"name", "mode", "value"}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run['metric']}, {run['set']}")
def test_the_command_of_a_result_exists_where_it_is_of_the_project(run: dict[str, Any]) -> None:
    file = run["command"].split()[0]
    assert (ROOT / file).is_file() or not file.startswith(("bench/", "eval/", "scripts/"))


def test_the_last_run_of_a_metric_is_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(run for run in RUNS if run["metric"] == "nDCG@10")
    monkeypatch.setattr(benchmarks, "RESULTS", tmp_path)
    lines = [json.dumps(first | {"value": value}) for value in (0.1, 0.9)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert [run["value"] for run in benchmarks.in_force("a")] == [0.9]


@pytest.mark.slow
def test_every_benchmark_and_evaluation_prints_its_help_without_data(tmp_path: Path) -> None:
    files = sorted(file for folder in ("bench", "eval") for file in (ROOT / folder).rglob("*.py"))
    commands = [str(file) for file in files if "\nif __name__ ==" in file.read_text(encoding="utf-8")]
    env = {name: value for name, value in os.environ.items() if name != "PINCITE_DATA"}
    ran = subprocess.run(
        [sys.executable, "-c", HELP, *commands], cwd=tmp_path, env=env, capture_output=True, check=True
    )
    assert json.loads(ran.stdout) == dict.fromkeys(commands, True)
