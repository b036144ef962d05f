"""The benchmarks name functions as strings, which no checker follows."""

import importlib.util
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"


def test_every_stage_of_the_search_benchmark_is_a_function_that_exists() -> None:
    spec = importlib.util.spec_from_file_location("search_stages", BENCH / "search_stages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert [name for _, owner, name in module.STAGES if not callable(getattr(owner, name, None))] == []
