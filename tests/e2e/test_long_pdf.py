"""A very long PDF is read, cut, embedded and found within bounded memory, all processes together."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.memory import family, joined, megabytes
from support.waiting import pause

MOST_MEGABYTES = 500
LOOK_SECONDS = 0.2


def run(*command: str | Path, **environment: str) -> tuple[dict[str, Any], float]:
    """What a command prints, and the most that it and all below it took at any time."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", *map(str, command)], stdout=subprocess.PIPE, env={**os.environ, **environment}
    )
    peak = 0.0
    while process.poll() is None:
        try:
            peak = max(peak, sum(map(megabytes, family(process.pid))))
        except OSError:
            continue  # one of them has just ended
        pause(LOOK_SECONDS, "it reads on")
    assert process.stdout is not None
    with process.stdout as out:
        return json.loads(out.read()), peak


@pytest.mark.data
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is told by Linux")
@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(100, marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
        pytest.param(1000, marks=[pytest.mark.long, pytest.mark.timeout(7200)]),
    ],
)
def test_a_long_pdf_is_indexed_within_its_memory(data: Path, model_cache: Path, tmp_path: Path, pages: int) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    joined(sorted((data / "financebench" / "pdfs").glob("*.pdf")), folder / "reports.pdf", pages)
    question = "What may become impaired?"
    answer, peak = run(
        *("search", question, "--docs", folder, "--db", tmp_path / "index.db", "--json"),
        PINCITE_CACHE=str(model_cache.parent),
    )
    assert peak < MOST_MEGABYTES
    assert answer["search_type"] == "hybrid", answer.get("note")
    assert all(hit["metadata"]["page_numbers"] and hit["metadata"]["boxes"] for hit in answer["results"])
    assert answer["total_chunks"] > pages
