"""A file as large as any that is served appears while a client searches: no call waits for it, no answer hides it."""

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.formats.worker.time_limit import processor_seconds
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

SENTENCE = "A zebra among many words of a sentence that goes on for a while. "
BYTES = 7_800_000
BUDGET_SECONDS = 2.0
OVERRUN_SECONDS = 1.0
"""Processor time that a server may take after a call's budget: reading all of the file takes 8 to 30."""

CALLS = 12


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    """A server of a folder with one page, over stdio."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\nzebra\n")
    env = {
        **os.environ,
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_FRESH_BUDGET": str(BUDGET_SECONDS),
    }
    with Wire(pincite("serve", str(docs)), env, start=subprocess.Popen) as wire:
        yield wire.open()


def overrun(wire: Wire, word: str) -> tuple[dict[str, Any], float]:
    """An answer, and the processor time that the server took for it after its budget."""
    process, at_budget = wire.process.pid, 0.0

    def look() -> None:
        nonlocal at_budget
        at_budget = processor_seconds(process) or 0.0

    timer = threading.Timer(BUDGET_SECONDS, look)
    timer.start()
    answer = wire.call("search_docs", {"query": f"zebra {word}"})["structuredContent"]
    timer.cancel()
    return answer, (processor_seconds(process) or 0.0) - at_budget if at_budget else 0.0


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="only Linux reports the processor time")
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(("# Big\n\n", SENTENCE), id="one paragraph"),
        pytest.param(("| a | b |\n|---|---|\n", f"| {SENTENCE} | 1 |\n"), id="a table"),
        pytest.param(("", f"## Part\n\n{SENTENCE}\n\n"), id="headings"),
    ],
)
def test_each_call_keeps_its_budget_and_edits_of_other_pages_are_in_it(
    wire: Wire, tmp_path: Path, parts: tuple[str, str]
) -> None:
    (head, part), docs = parts, tmp_path / "docs"
    wire.call("search_docs", {"query": "zebra"})
    (tmp_path / "big").write_text(head + part * ((BYTES - len(head)) // len(part)))
    (tmp_path / "big").replace(docs / "big.md")
    waited = 0
    for number in range(CALLS):
        word = f"quagga{number}x"
        (docs / "a.md").write_text(f"# Alpha\n\nzebra {word}\n")
        answer, seconds = overrun(wire, word)
        assert seconds <= OVERRUN_SECONDS
        found = [hit["metadata"]["file_path"] for hit in answer["results"][:1]]
        assert found == ["a.md"] or answer["index"]["stale"]
        if not answer["index"]["pending"] and not answer["index"]["stale"]:
            break
        assert answer["index"]["stale"] and answer["index"]["reason"]
        waited += 1
    assert waited
