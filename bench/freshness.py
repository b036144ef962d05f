"""From the end of a write to an answer that holds it: one changed file among 7,425, over real stdio.

python bench/freshness.py [--edits 60] [--place FOLDER]
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from startup import cache_with_model, environment, index, prepared, unpacked
from support.wire import Wire, pincite

TARGETS = {"inotify": 0.030, "walk": 0.060, "quiet check": 0.0001}


def main() -> int:
    """Print each median and its target; 1 if one is missed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--edits", type=int, default=60)
    arguments.add_argument("--place", type=Path, help="keeps pages and index for the next run")
    given = arguments.parse_args()
    edits: int = given.edits
    with prepared(given.place) as place:
        folder, cache = unpacked(place), cache_with_model(place)
        env = {**environment(cache), "PINCITE_MODEL_GRACE": "inf"}
        index(folder, env)
        medians = {
            "inotify": edited(folder, env, edits),
            "walk": edited(folder, {**env, "PINCITE_WATCH": "false"}, edits),
            "quiet check": quiet(folder, cache),
        }
    for name, median in medians.items():
        missed = "" if median <= TARGETS[name] else "MISSED"
        print(f"{name:<12} p50 {median * 1000:8.3f} ms (target {TARGETS[name] * 1000:g} ms) {missed}")
    return int(any(median > TARGETS[name] for name, median in medians.items()))


def edited(folder: Path, env: dict[str, str], edits: int) -> float:
    """Seconds from the end of a write to the answer that holds it, the median."""
    page = sorted(folder.rglob("*.md"))[3000]
    times: list[float] = []
    with Wire(pincite("serve", str(folder)), env).open() as wire:
        wire.call("search_docs", {"query": "warm up"})
        for n in range(edits):
            page.write_text(f"# changed\n\n> A page about zyzzyva{n}.\n\n- Do it:\n\n`zyzzyva{n} --now`\n")
            start = time.perf_counter()
            answer = wire.call("search_docs", {"query": f"zyzzyva{n}", "top_k": 3})["structuredContent"]
            times.append(time.perf_counter() - start)
            assert not answer["index"]["stale"], answer
            assert f"zyzzyva{n}" in answer["results"][0]["content"], answer
    print(f"  {edits} edits: least {min(times) * 1000:.1f} ms, p95 {sorted(times)[int(edits * 0.95)] * 1000:.1f} ms")
    return statistics.median(times)


def quiet(folder: Path, cache: Path) -> float:
    """Seconds that the look for changes takes where there are none."""
    app = App(load({"PINCITE_CACHE": str(cache)}), folder)
    try:
        source = app.collection().source
        app.toolbox.call("get_status", {}, Call())
        times: list[float] = []
        for _ in range(2000):
            start = time.perf_counter()
            source.poll()
            times.append(time.perf_counter() - start)
        return statistics.median(times)
    finally:
        app.close()


if __name__ == "__main__":
    sys.exit(main())
