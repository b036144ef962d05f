"""Real pages of documentation, beside what a person found in them."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def scorer(data: Path) -> ModuleType:
    """The command that compares readers; it knows how to score."""
    spec = importlib.util.spec_from_file_location("web_scorer", ROOT / "eval" / "reading" / "web.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.DATA = data  # type: ignore[attr-defined] - the fixture knows where the data is
    return module


@pytest.mark.data
def test_real_pages_give_what_a_person_found_in_them(scorer: Any) -> None:
    total, words = scorer.Score(), scorer.Score()
    for truth in scorer.pages():
        total.add(scorer.by_blocks(truth))
        words.add(scorer.score(truth, scorer.read_page(scorer.path(truth)).text))
    assert total.headings == [164, 164]
    assert total.code == [113, 113]
    assert total.terms == [152, 152]
    assert total.rows[0] >= 248, "one row of 249 holds a date that the page hides"
    assert total.anchors[0] == total.anchors[1]
    assert sum(words.precision) / len(words.precision) >= 0.98
    assert min(words.recall) >= 0.95
