"""Questions over the shared corpora, every method beside the others.

    python eval/questions.py [SET ...] [--held-out]

Prints hit@1 / hit@5 / MRR@10 with 95 % intervals. The sets marked held out were put aside before
anything was tuned; score them once, at the end.
"""

import argparse
import os
import re
import tarfile
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pincite.app import App
from pincite.index.retriever import Method
from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question, from_beir, from_tsv, write_beir_corpus
from pincite.services.evaluation.metrics import Measured, measured
from pincite.services.evaluation.run import Scores, evaluate
from pincite.settings import load

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PINCITE_DATA", HERE.parent.parent / "shared" / "data"))
METHODS = (Method.MEANING, Method.WORDS, Method.RRF, Method.FUSED)


@dataclass(frozen=True)
class Corpus:
    """A folder, its questions, and whether sections or documents are ranked."""

    name: str
    folder: Path
    questions: list[Question]
    sections: bool = False


def tsv(name: str, *, held_out: bool) -> Path:
    return HERE / "questions" / f"{name}-held-out.tsv" if held_out else DATA / "questions" / f"{name}.tsv"


def prom(*, held_out: bool) -> Corpus:
    questions = [
        Question(q.text, tuple({g.document: Gold(g.document) for g in q.golds}.values()))
        for q in from_tsv(tsv("prom", held_out=held_out))
    ]
    return Corpus("prom", DATA / "docs-prometheus" / "docs", questions)


def nist(*, held_out: bool) -> Corpus:
    return Corpus("nist", DATA / "nist-800-63-3", from_tsv(tsv("nist", held_out=held_out)), sections=True)


def tldr(folder: Path, *, held_out: bool) -> Corpus:
    with tarfile.open(DATA / "docs-tldr.tar.xz") as archive:
        members = [m for m in archive.getmembers() if re.search(r"(^|/)pages/.*\.md$", m.name)]
        archive.extractall(folder, members, filter="data")
    pages: dict[str, list[str]] = {}
    for page in sorted(folder.rglob("*.md")):
        pages.setdefault(page.stem, []).append(page.relative_to(folder).as_posix())
    rows = (line.split("\t")[:2] for line in tsv("tldr", held_out=held_out).read_text("utf-8").splitlines() if line)
    questions = [
        Question(text, tuple(Gold(path) for name in names.split("|") for path in pages.get(name, [])))
        for text, names in rows
    ]
    return Corpus("tldr", folder, questions)


def cranfield(folder: Path) -> Corpus:
    write_beir_corpus(DATA / "ir" / "cranfield", folder)
    return Corpus("cranfield", folder, from_beir(DATA / "ir" / "cranfield"))


@contextmanager
def corpus(name: str, *, held_out: bool) -> Generator[Corpus]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if name == "prom":
            yield prom(held_out=held_out)
        elif name == "nist":
            yield nist(held_out=held_out)
        elif name == "tldr":
            yield tldr(folder, held_out=held_out)
        else:
            yield cranfield(folder)


def score(found: Corpus) -> list[Scores]:
    settings = load({"PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf", "PINCITE_WATCH": "false"})
    with tempfile.TemporaryDirectory() as temporary:
        app = App(settings, found.folder, Path(temporary) / "index.db")
        try:
            return evaluate(app.index(), found.questions, METHODS, Call(), sections=found.sections)
        finally:
            app.close()


def cell(value: Measured) -> str:
    return f"{value.mean:.3f} [{value.low:.2f},{value.high:.2f}]"


def show(name: str, rows: Sequence[Scores]) -> None:
    print(f"\n{name} ({len(rows[0].values['hit@1'])} questions)")
    print(f"{'':9}" + "".join(f"{measure:>22}" for measure in rows[0].means))
    for row in rows:
        print(f"{row.method:9}" + "".join(f"{cell(value):>22}" for value in row.means.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=["prom", "nist", "tldr", "cranfield"])
    parser.add_argument("--held-out", action="store_true")
    asked = parser.parse_args()
    results: list[list[Scores]] = []
    for name in asked.sets:
        if asked.held_out and name == "cranfield":
            continue
        with corpus(name, held_out=asked.held_out) as found:
            results.append(score(found))
        show(name, results[-1])
    together = [
        Scores(method, values, {m: measured(v) for m, v in values.items()})
        for method, rows in zip(METHODS, zip(*results, strict=True), strict=True)
        for values in [{m: [x for row in rows for x in row.values[m]] for m in rows[0].values}]
    ]
    show("all sets together", together)


if __name__ == "__main__":
    main()
