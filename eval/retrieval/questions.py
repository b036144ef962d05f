"""Questions over the shared corpora, every way to order beside the others.

    python eval/retrieval/questions.py [SET ...] [--held-out] [--misspelt [WORDS]]

Prints the means with 95 % intervals. `--misspelt` puts
one error into the longest word (or WORDS words) of every question and prints how much of the clean figure is kept. The
sets marked held out were put aside before anything was tuned; score them once, at the end.
"""

import argparse
import os
import re
import tarfile
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.app import App
from pincite.index.view import View
from pincite.model.call import Call
from pincite.services.evaluation.datasets import Gold, Question, by_document, from_beir, from_tsv, write_beir_corpus
from pincite.services.evaluation.metrics import Measured, measured
from pincite.services.evaluation.misspelling import misspelt
from pincite.services.evaluation.rankers import complete_view, rankers, texts
from pincite.services.evaluation.run import Scores, evaluate
from pincite.settings import load

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PINCITE_DATA", HERE.parents[2] / "shared" / "data"))
SHOWN = ("hit@1", "hit@5", "mrr@10", "ndcg@10")


@dataclass(frozen=True)
class Corpus:
    """A folder, its questions, and whether sections or documents are ranked."""

    name: str
    folder: Path
    questions: list[Question]
    sections: bool = False


def tsv(name: str, *, held_out: bool) -> Path:
    return HERE / "questions" / f"{name}-held-out.tsv" if held_out else DATA / "questions" / f"{name}.tsv"


def prom(_: Path, *, held_out: bool) -> Corpus:
    return Corpus("prom", DATA / "docs-prometheus" / "docs", by_document(from_tsv(tsv("prom", held_out=held_out))))


def nist(_: Path, *, held_out: bool) -> Corpus:
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


def asvs(folder: Path, *, held_out: bool) -> Corpus:
    """One section for each requirement, as the study had it: a table's row becomes a heading with its text."""
    homes: dict[str, str] = {}
    for page in sorted((DATA / "asvs-4.0.3" / "md").glob("*.md")):
        lines: list[str] = []
        for line in page.read_text("utf-8").splitlines():
            row = re.match(r"\| \*\*(\d+\.\d+\.\d+)\*\* \| (.*)", line)
            lines += ["", f"###### {row[1]}", "", row[2].split(" | ")[0].rstrip(" |"), ""] if row else [line]
            if row:
                homes[row[1]] = page.name
        (folder / page.name).write_text("\n".join(lines) + "\n", "utf-8")
    rows = (line.split("\t") for line in tsv("asvs", held_out=held_out).read_text("utf-8").splitlines() if line)
    questions = [
        Question(text, tuple(Gold(homes[number], number) for number in numbers.split("|")), one_is_enough=True)
        for text, numbers in rows
    ]
    return Corpus("asvs", folder, questions, sections=True)


def cranfield(folder: Path, *, held_out: bool) -> Corpus:
    del held_out
    write_beir_corpus(DATA / "ir" / "cranfield", folder)
    return Corpus("cranfield", folder, from_beir(DATA / "ir" / "cranfield"))


SETS = {"prom": prom, "nist": nist, "asvs": asvs, "tldr": tldr, "cranfield": cranfield}


@contextmanager
def corpus(name: str, *, held_out: bool) -> Generator[Corpus]:
    with tempfile.TemporaryDirectory() as temporary:
        yield SETS[name](Path(temporary), held_out=held_out)


@contextmanager
def indexed(folder: Path) -> Generator[View]:
    """A folder in an index of its own, with all words and vectors."""
    settings = load({"PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf", "PINCITE_WATCH": "false"})
    with tempfile.TemporaryDirectory() as temporary:
        app = App(settings, folder, Path(temporary) / "index.db")
        try:
            with complete_view(app.collection(), Call()) as view:
                yield view
        finally:
            app.close()


def score(found: Corpus, *variants: Sequence[Question]) -> list[list[Scores]]:
    """The figures of every ranker, once for each variant of the questions."""
    call = Call()
    with indexed(found.folder) as view:
        text = texts(view, call, sections=found.sections)
        asked = rankers(view, call, text, sections=found.sections)
        return [evaluate(questions, asked, call) for questions in variants]


def cell(value: Measured) -> str:
    return f"{value.mean:.3f} [{value.low:.2f},{value.high:.2f}]"


def show(name: str, rows: Sequence[Scores]) -> None:
    print(f"\n{name} ({len(rows[0].values['hit@1'])} questions)")
    print(f"{'':9}" + "".join(f"{measure:>22}" for measure in SHOWN))
    for row in rows:
        print(f"{row.name:9}" + "".join(f"{cell(row.means[measure]):>22}" for measure in SHOWN))


def show_kept(name: str, clean: Sequence[Scores], wrong: Sequence[Scores]) -> None:
    print(f"\n{name} ({len(clean[0].values['hit@1'])} questions), hit@1")
    print(f"{'':9}{'clean':>22}{'misspelt':>22}{'kept':>8}")
    for before, after in zip(clean, wrong, strict=True):
        was, now = before.means["hit@1"], after.means["hit@1"]
        print(f"{before.name:9}{cell(was):>22}{cell(now):>22}{now.mean / was.mean if was.mean else 0:8.3f}")


def graded(questions: Sequence[Question]) -> bool:
    return any(gold.grade != 1 for question in questions for gold in question.golds)


def alike(question: Question) -> Question:
    """With every answer worth the same, as some publish nDCG."""
    return replace(question, golds=tuple(replace(gold, grade=1.0) for gold in question.golds))


def together(results: Sequence[Sequence[Scores]]) -> list[Scores]:
    """All sets as one."""
    added: list[Scores] = []
    for rows in zip(*results, strict=True):
        values = {name: [x for row in rows for x in row.values[name]] for name in rows[0].values}
        added.append(replace(rows[0], values=values, means={name: measured(column) for name, column in values.items()}))
    return added


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS), help=", ".join(SETS))
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--misspelt", type=int, nargs="?", const=1, default=0, metavar="WORDS")
    parser.add_argument("--seed", type=int, default=0, help="of the errors")
    asked = parser.parse_args()
    clean: list[list[Scores]] = []
    wrong: list[list[Scores]] = []
    for name in asked.sets:
        if asked.held_out and not tsv(name, held_out=True).is_file():
            continue
        with corpus(name, held_out=asked.held_out) as found:
            variants = [found.questions]
            if asked.misspelt:
                variants.append([misspelt(question, asked.seed, asked.misspelt) for question in found.questions])
            if graded(found.questions):
                variants.append([alike(question) for question in found.questions])
            results = score(found, *variants)
        clean.append(results[0])
        show(name, results[0])
        if graded(found.questions):
            show(f"{name}, every judgment counted alike", results[-1])
        if asked.misspelt:
            wrong.append(results[1])
            show_kept(name, *results[:2])
    show("all sets together", together(clean))
    if wrong:
        show_kept("all sets together", together(clean), together(wrong))


if __name__ == "__main__":
    main()
