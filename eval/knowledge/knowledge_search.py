"""Whether paraphrased questions find the clause that answers them within five passages: one command, one table.

    python eval/knowledge/knowledge_search.py [--held-out]

A library of the standards set and of ASVS (its PDF), as `pincite ingest` makes it; each question is asked of its
own document. Ways to order: BM25, meaning alone, the default of the docs face, weighted RRF at 0.7, and the tool
`knowledge_search` itself, whose first passages are of different clauses. The questions of the standards that
`knowledge.held_out` names, and `asvs-held-out.tsv`, are set aside.
"""

import argparse
import math
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from knowledge import ASVS, DATA, STANDARDS, held_out, scorer
from pincite.app import App
from pincite.index.retriever import Method
from pincite.index.searcher import Ranking
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Filter
from pincite.services.library.ingestion import plan, single_file
from pincite.settings import load

METHODS: Mapping[str, Method] = {
    "BM25": Method.BM25,
    "meaning": Method.SEMANTIC,
    "default of docs": Method.FUSED,
    "RRF": Method.RRF,
}

FIRST, FIVE, TEN = 1, 5, 10
MAX_BYTES = 100_000_000
PATIENT = {"PINCITE_READER_TIMEOUT": 600.0}
"""A file that a busy machine reads too slowly would be missing from every figure."""
ASVS_QUESTIONS = {
    False: DATA / "questions" / "asvs.tsv",
    True: Path(__file__).resolve().parent / "asvs-held-out.tsv",
}


@dataclass(frozen=True)
class Asked:
    """A question, the document it is asked of, and the clauses that answer it."""

    text: str
    document: str
    clauses: frozenset[str]


def folded(clause: str) -> str:
    """Return a clause number without the letter that only ASVS itself writes."""
    return re.sub(r"^v(?=\d)", "", scorer().norm_clause(clause))


def asked(file: Path, document: str) -> Iterator[Asked]:
    for line in file.read_text("utf-8").splitlines():
        text, clauses, *_ = line.split("\t")
        yield Asked(text, document, frozenset(map(folded, clauses.split("|"))))


def standards(*, aside: bool) -> dict[str, Path]:
    """Return one file of each standard by its name; the first that is no PDF."""
    suffixes = {".html", ".md", ".txt", ".docx"}
    names = [path.parent for path in sorted(STANDARDS.glob("*/meta.json")) if (path.parent.name in held_out()) == aside]
    return {
        each.name: next(
            file for file in sorted(each.iterdir()) if file.suffix in suffixes and file.name != "SOURCE.txt"
        )
        for each in names
    }


Find = Callable[[Asked], Sequence[str]]
"""Returns the clause numbers of the ten best passages for a question."""


def by_method(view: View, method: Method) -> Find:
    ids = {document.name: document.id for document in view.documents()}

    def find(question: Asked) -> list[str]:
        where = Filter(documents=frozenset({ids[question.document]}))
        hits = view.ranked(Call(), question.text, TEN, Ranking(method, where=where)).hits
        return [hit.chunk.chunk.tags.clause for hit in hits]

    return find


def by_tool(app: App) -> Find:
    def find(question: Asked) -> list[str]:
        arguments = {"query": question.text, "document_id": question.document, "n_results": TEN}
        answer = app.toolbox.call("knowledge_search", arguments, Call()).model_dump(mode="json")
        return [passage["metadata"]["clause_number"] or "" for passage in answer["results"]]

    return find


def shares(questions: Sequence[Asked], find: Find) -> list[float]:
    """Return the shares of questions whose clause is first, within five and within ten."""
    within = {FIRST: 0, FIVE: 0, TEN: 0}
    for question in questions:
        found = [folded(clause) in question.clauses for clause in find(question)]
        for most in within:
            within[most] += any(found[:most])
    return [count / len(questions) for count in within.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true", help="the questions that were set aside, and nothing else")
    aside = parser.parse_args().held_out
    files = {**standards(aside=aside), "asvs": ASVS / "asvs-4.0.3-en.pdf"}
    sets = {
        "standards": [
            one
            for name, file in files.items()
            if name != "asvs"
            for one in asked(STANDARDS / name / "questions.tsv", file.stem)
        ],
        "ASVS": [*asked(ASVS_QUESTIONS[aside], files["asvs"].stem)],
    }
    with tempfile.TemporaryDirectory() as folder:
        given = {"DATA_DIR": folder, "PINCITE_FRESH_BUDGET": math.inf, "PINCITE_MODEL_GRACE": math.inf, **PATIENT}
        with closing(App(load(given), None, toolsets=["knowledge"])) as app:
            library = app.library_collection()
            added = library.add(plan([single_file(file, MAX_BYTES) for file in files.values()], ()).additions, Call())
            if added.failed:
                raise SystemExit(f"These could not be read: {added.failed}")
            with library.view(Call(), semantic=True) as view:
                print("| questions | by | first | within five | within ten |\n|---|---|---|---|---|")
                ways = {by: by_method(view, method) for by, method in METHODS.items()}
                for name, questions in sets.items():
                    for by, find in {**ways, "knowledge_search": by_tool(app)}.items():
                        cells = " | ".join(f"{share:.3f}" for share in shares(questions, find))
                        print(f"| {name} ({len(questions)}) | {by} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
