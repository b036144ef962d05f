"""Tables of real documents and of typeset ones against their truth, each read with weights that never saw it.

    python eval/reading/score.py [--models FOLDER] [--prints PRINTS] [--sets icdar arxiv witness]

`--models` has a model without each fold of documents (`eval/reading/fit.py --each-fold FOLDER`); without it the shipped
weights read all, which have seen `icdar` and `arxiv`. `witness` are the ten documents of `eval/prints/generate.py` that
none is fitted on. Scores are those of the data's own `score.py`; `icdar` needs lxml.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import sniff
from pincite.formats.pdf.fitted.trees import load, trees
from pincite.formats.pdf.tables import readings, regroup
from pincite.formats.worker.pool import readable
from pincite.formats.worker.read import read_document
from pincite.model.call import Call

sys.path.insert(0, str(Path(__file__).resolve().parent))
from folds import FOLDS, fold_of

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
MIN_OVERLAP = 0.4


def markdown(file: Path, models: Path | None) -> str:
    """Return a file as Markdown, read by the model that has not seen it."""
    if models is not None:
        for module in (readings, regroup):
            module.trees = lambda name: load(models / f"{name}-{fold_of(file.stem, FOLDS)}.npz")  # type: ignore[assignment]
    data = file.read_bytes()
    try:
        return read_document(readable(sniff(file.name, data)), Blob(file.name, data), ReadOptions(), Call()).text
    finally:
        readings.trees = regroup.trees = trees


def converted(files: Sequence[Path], out: Path, suffix: str, models: Path | None) -> None:
    start = time.process_time()
    for file in files:
        (out / f"{file.stem}{suffix}").write_text(markdown(file, models), "utf-8")
    print(f"{len(files)} files, {1000 * (time.process_time() - start) / len(files):.0f} ms of processor time each")


def icdar(out: Path, models: Path | None, _: Path | None) -> None:
    folder = DATA / "reading/icdar"
    converted(sorted(folder.glob("*.pdf")), out, ".pdf.md", models)
    subprocess.run([sys.executable, str(DATA / "reading/score.py"), "tables", str(folder), str(out)], check=True)  # noqa: S603


def arxiv(out: Path, models: Path | None, _: Path | None) -> None:
    folder = DATA / "tables-arxiv"
    converted(sorted((folder / "2026-q1-tables-only/pdfs").glob("*.pdf")), out, ".md", models)
    subprocess.run([sys.executable, str(folder / "score.py"), str(folder), "--keep", str(out)], check=True)  # noqa: S603


def witness(_: Path, models: Path | None, prints: Path | None) -> None:
    """Print the rows that are whole, and the mean F1 of relations, of each document and of all."""
    spec: Any = importlib.util.spec_from_file_location("arxiv_score", DATA / "tables-arxiv/score.py")
    score: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for file in sorted(prints.glob("witness-*.pdf") if prints else ()):
        truth = json.loads(file.with_suffix(".json").read_text("utf-8"))["tables"]
        found = score.read_tables(markdown(file, models))
        for table in truth:
            cells = sorted(table["cells"], key=lambda cell: (cell["row"], cell["column"]))
            true = [(cell["text"], cell["row"], cell["column"], cell["rows"], cell["columns"]) for cell in cells]
            result = score.score(true, nearest(score, true, found))
            for name in (file.stem, "all"):
                values = (result["rows_whole"], result["rows"], result["adjacency"], 1)
                totals[name] = [total + value for total, value in zip(totals[name], values, strict=True)]
    for name, (whole, rows, f1, tables) in totals.items():
        print(f"{name:20} rows whole {whole:.0f} of {rows:.0f} = {whole / rows:.3f}, relations F1 {f1 / tables:.3f}")


def nearest(score: Any, true: list[Any], found: list[list[Any]]) -> list[Any]:
    """Return the table that shares the most text with a true one."""
    own = score.grams(cell[0] for cell in true)

    def overlap(table: list[Any]) -> float:
        other = score.grams(cell[0] for cell in table)
        return 2 * sum((own & other).values()) / max(1, sum(own.values()) + sum(other.values()))

    best = max(found, key=overlap, default=[])
    return best if best and overlap(best) >= MIN_OVERLAP else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--prints", type=Path)
    parser.add_argument("--sets", nargs="*", choices=("icdar", "arxiv", "witness"), default=["icdar", "arxiv"])
    given = parser.parse_args()
    for name in given.sets:
        with tempfile.TemporaryDirectory() as out:
            print(name, flush=True)
            globals()[name](Path(out), given.models, given.prints)


if __name__ == "__main__":
    main()
