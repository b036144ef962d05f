"""How much of the embedding engine's own speed is left when a folder is indexed with it.

    python bench/ingest.py [--runs 3]

The same chunks, alternating in one run: embedded alone, and read, cut, indexed, embedded and stored.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import platformdirs

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from pincite.text.embed_text import text_to_embed

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
TARGET = 0.85


def main() -> int:
    """Print both speeds and their ratio; 1 if it is below the target."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=3)
    runs: int = arguments.parse_args().runs
    folder = DATA / "docs-prometheus" / "docs" if DATA.is_dir() else ROOT / "docs"
    ratios: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as place:
            cache = Path(place)
            own = Path(os.environ.get("PINCITE_CACHE") or platformdirs.user_cache_path("pincite"))
            (cache / "models").symlink_to(own / "models")
            app = App(
                load({"PINCITE_CACHE": cache, "PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf"}), folder
            )
            app.embedder.load(Call())
            start = time.perf_counter()
            app.toolbox.call("search_docs", {"query": "anything"}, Call())
            whole = time.perf_counter() - start
            texts = embedded(app)
            start = time.perf_counter()
            app.embedder.embed(texts, Call())
            alone = time.perf_counter() - start
            app.close()
        ratios.append(alone / whole)
        print(f"{len(texts):,} chunks: alone {len(texts) / alone:.0f} a second, indexed {len(texts) / whole:.0f}")
    ratio = statistics.median(ratios)
    print(f"indexing keeps {ratio:.0%} of the engine's speed (target {TARGET:.0%}) {'MISSED' * (ratio < TARGET)}")
    return int(ratio < TARGET)


def embedded(app: App) -> list[str]:
    """What was embedded, each text once."""
    with app.collection().store.snapshot() as snapshot:
        stored = [chunk for document in snapshot.documents() for chunk in snapshot.document_chunks(document.id)]
    return list(dict.fromkeys(text_to_embed(chunk.chunk) for chunk in stored))


if __name__ == "__main__":
    sys.exit(main())
