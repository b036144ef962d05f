"""What the finder of tables holds on the shared data: figures that no change may lower."""

import importlib
import sys
from collections.abc import Generator
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.slow

EVAL = Path(__file__).resolve().parents[5] / "eval" / "reading"


@pytest.fixture
def tables(data: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ModuleType]:
    """The command that scores tables, reading the shared data."""
    monkeypatch.setattr(sys, "path", [str(EVAL), *sys.path])
    module = importlib.import_module("tables")
    monkeypatch.setattr(module, "DATA", data)
    monkeypatch.setattr(module, "REPORTS", data / "financebench" / "pdfs")
    yield module
    module.opened.cache_clear()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "least"),
    [("statements", {"statements": 429}), ("items", {"items": 78, "items strict": 77}), ("asvs", {"asvs rows": 284})],
)
def test_found_rows(tables: ModuleType, name: str, least: dict[str, int]) -> None:
    run = tables.Run(next(tables.finders(None)), held_out=False, misses=False)
    found = {tally.name: tally for tally in getattr(tables, name)(run)}
    assert {key: found[key].found >= count for key, count in least.items()} == dict.fromkeys(least, True)
    if name == "statements":
        assert found[name].finer["years"] == 49
        assert found[name].finer["in columns"] >= 429
    if name == "asvs":
        assert found["asvs headings in tables"].found == 0
