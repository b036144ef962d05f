"""FinanceBench: whether the page that holds the evidence is found, in its report and among all of them.

    python eval/reports.py

Every way to order beside the others; a page counts as its best chunk. Reads 16 annual reports (PDF) first.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import lt
from pathlib import Path

from pincite.app import App
from pincite.index.index import Index
from pincite.index.retriever import Method
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.search import Hit
from pincite.services.evaluation.rankers import settled
from pincite.settings import load
from questions import DATA

WAYS = {"words": Method.WORDS, "meaning": Method.MEANING, "rrf": Method.RRF, "default": Method.FUSED}
CHUNKS = 100
FOLDER = DATA / "financebench"
TARGETS = {"in its report": (0.32, 0.62), "among all": (0.0, 0.52)}
"""At the first place and within five (the retrieval study, without synonyms)."""


@dataclass(frozen=True)
class Asked:
    """A question, the report it names, and the pages that hold its evidence, as (report, page)."""

    text: str
    report: str
    pages: frozenset[tuple[str, int]]


def asked() -> Iterator[Asked]:
    for line in (FOLDER / "questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        pages = frozenset((evidence["doc"], evidence["page"]) for evidence in row["evidence"])
        yield Asked(row["question"], row["doc"], pages)


def pages(hits: Sequence[Hit]) -> list[tuple[str, int]]:
    """Each page once, at its best chunk."""
    standing = ((Path(hit.chunk.document).stem, page) for hit in hits for page in hit.chunk.chunk.pages)
    return list(dict.fromkeys(standing))


def shares(index: Index, view: IndexView, questions: Sequence[Asked], method: Method, *, named: bool) -> list[float]:
    """How many questions have their page at the first place, and within five.

    Args:
        index: Its model loaded.
        view: All of it embedded.
        questions: What is asked.
        method: How hits are ordered.
        named: Search the report that the question names; else all of them.
    """
    right = [0, 0]
    for question in questions:
        keep = partial(is_report, question.report) if named else None
        found = pages(index.search(view, Call(), question.text, CHUNKS, keep, method).hits)
        for place, n in enumerate((1, 5)):
            right[place] += bool(question.pages.intersection(found[:n]))
    return [count / len(questions) for count in right]


def is_report(report: str, document: str) -> bool:
    return Path(document).stem == report


def main() -> int:
    """Print the table; 1 if the default misses a target."""
    settings = load({"PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf", "PINCITE_WATCH": "false"})
    questions = list(asked())
    print(f"{len(questions)} questions, page @1 / @5")
    print(f"{'':9}" + "".join(f"{scope:>18}" for scope in TARGETS))
    missed = False
    with tempfile.TemporaryDirectory() as place:
        app = App(settings, FOLDER, Path(place) / "index.db")
        try:
            index = app.index()
            with settled(index, Call()) as view:
                for name, method in WAYS.items():
                    scopes = [shares(index, view, questions, method, named=named) for named in (True, False)]
                    print(f"{name:9}" + "".join(f"{f'{first:.3f} / {five:.3f}':>18}" for first, five in scopes))
                    if name == "default":
                        missed = any(map(lt, chain(*scopes), chain(*TARGETS.values())))
        finally:
            app.close()
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
