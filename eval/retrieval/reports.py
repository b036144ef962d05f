"""FinanceBench: whether the page that holds the evidence is found, in its report and among all of them.

    python eval/retrieval/reports.py [--library]

Every way to order beside the others; a page counts as its best chunk. Reads 16 annual reports (PDF) first. With
`--library` as `pincite ingest` cuts them, and the tool `knowledge_search` itself: the pages of its first passages, at
the first place and within five.
"""

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from questions import DATA, indexed

from pincite.app import App
from pincite.index.retriever import Method
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Hit
from pincite.services.evaluation.rankers import CHUNKS, DEFAULT, METHODS, complete_view
from pincite.services.library.ingestion import plan, single_file
from pincite.settings import load

FOLDER = DATA / "financebench"
NAMED, ALL = "in its report", "among all"
TARGETS = {NAMED: (0.32, 0.62), ALL: (0.0, 0.52)}
"""Of the default, at the first place and within five (the retrieval study, without synonyms)."""
TOOL = "knowledge_search"
LIBRARY_TARGETS = {NAMED: (0.0, 0.0), ALL: (0.0, 0.60)}
"""Of `knowledge_search`."""
MAX_BYTES = 100_000_000
PATIENT = {"PINCITE_READER_TIMEOUT": 600.0}
"""A report that a busy machine reads too slowly would be missing from every figure."""


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


def shares(view: View, questions: Sequence[Asked], method: Method, *, named: bool) -> tuple[float, float]:
    """The share of questions that have their page at the first place, and within five.

    Args:
        view: All of it embedded.
        questions: What is asked.
        method: How hits are ordered.
        named: Search the report that the question names; else all of them.
    """
    first, five = 0, 0
    for question in questions:
        keep = partial(is_report, question.report) if named else None
        found = pages(view.search(Call(), question.text, CHUNKS, keep, method).hits)
        first += bool(question.pages.intersection(found[:1]))
        five += bool(question.pages.intersection(found[:5]))
    return first / len(questions), five / len(questions)


def is_report(report: str, document: str) -> bool:
    return Path(document).stem == report


Shares = Callable[[Sequence[Asked], bool], tuple[float, float]]
"""Returns the shares of questions that have their page at the first place and within five, in the named report if
true, else among all.
"""


def by_tool(app: App) -> Shares:
    """The tool itself: a page counts if it is of one of the first five passages."""

    def find(question: Asked, *, named: bool) -> list[bool]:
        arguments = {"query": question.text, "document_id": question.report if named else None, "n_results": 5}
        answer = app.toolbox.call(TOOL, arguments, Call()).model_dump(mode="json")
        sources = [passage["source"] for passage in answer["results"]]
        return [
            any((source["document_id"], page) in question.pages for page in source["page_numbers"])
            for source in sources
        ]

    def both(questions: Sequence[Asked], named: bool) -> tuple[float, float]:
        found = [find(question, named=named) for question in questions]
        return sum(any(each[:1]) for each in found) / len(found), sum(map(any, found)) / len(found)

    return both


def by_methods(view: View) -> dict[str, Shares]:
    def of(method: Method) -> Shares:
        return lambda questions, named: shares(view, questions, method, named=named)

    return {name: of(method) for name, method in METHODS.items()}


@contextmanager
def of_folder() -> Generator[dict[str, Shares]]:
    """The reports in a folder, by each method."""
    with indexed(FOLDER) as view:
        yield by_methods(view)


@contextmanager
def of_library() -> Generator[dict[str, Shares]]:
    """The reports in a library of their own, with all words and vectors, by each method and by the tool."""
    with tempfile.TemporaryDirectory() as data:
        given = {"DATA_DIR": data, "PINCITE_FRESH_BUDGET": math.inf, "PINCITE_MODEL_GRACE": math.inf, **PATIENT}
        with closing(App(load(given), None, toolsets=["knowledge"])) as app:
            collection = app.library_collection()
            files = [single_file(file, MAX_BYTES) for file in sorted(FOLDER.rglob("*.pdf"))]
            if failed := collection.add(plan(files, ()).additions, Call()).failed:
                raise SystemExit(f"These could not be read: {failed}")
            with complete_view(collection, Call()) as view:
                yield {**by_methods(view), TOOL: by_tool(app)}


def main() -> int:
    """Print the table; 1 if the default misses a target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", action="store_true", help="through a library instead of a folder")
    by_library = parser.parse_args().library
    questions = list(asked())
    targets, measured = (LIBRARY_TARGETS, TOOL) if by_library else (TARGETS, DEFAULT)
    print(f"{len(questions)} questions, page @1 / @5")
    print(f"{'':17}" + "".join(f"{scope:>18}" for scope in targets))
    missed = False
    with (of_library if by_library else of_folder)() as ways:
        for name, find in ways.items():
            line = f"{name:17}"
            for scope, least in targets.items():
                first, five = find(questions, scope == NAMED)
                line += f"{f'{first:.3f} / {five:.3f}':>18}"
                missed |= name == measured and (first < least[0] or five < least[1])
            print(line, flush=True)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
