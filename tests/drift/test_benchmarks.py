"""What no checker follows: functions that the benchmarks name as strings, and the help of every command."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"

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


def test_every_stage_of_the_search_benchmark_is_a_function_that_exists() -> None:
    spec = importlib.util.spec_from_file_location("search_stages", BENCH / "search_stages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert [name for _, owner, name in module.STAGES if not callable(getattr(owner, name, None))] == []


@pytest.mark.slow
def test_every_benchmark_and_evaluation_prints_its_help_without_data(tmp_path: Path) -> None:
    files = sorted(file for folder in ("bench", "eval") for file in (ROOT / folder).rglob("*.py"))
    commands = [str(file) for file in files if "\nif __name__ ==" in file.read_text(encoding="utf-8")]
    env = {name: value for name, value in os.environ.items() if name != "PINCITE_DATA"}
    ran = subprocess.run(
        [sys.executable, "-c", HELP, *commands], cwd=tmp_path, env=env, capture_output=True, check=True
    )
    assert json.loads(ran.stdout) == dict.fromkeys(commands, True)
