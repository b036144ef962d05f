"""Datasets of questions with their answers: a BEIR folder, or a TSV file for a folder of documents."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from pincite.errors import InvalidInput
from pincite.text.excerpt import excerpt

ANY = "|"
"""Separator of alternative answers."""


@dataclass(frozen=True, slots=True)
class Gold:
    """An answer to a question: a document, or a section of one.

    Attributes:
        document: The document's name.
        heading: The section's heading, see `within`; empty for the whole document.
        grade: The relevance grade; 1 if the dataset has none.
    """

    document: str
    heading: str = ""
    grade: float = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answers; none if the documents do not answer it.

    Attributes:
        text: The question.
        golds: The answers.
        one_is_enough: Whether any one of them is a complete answer (else all count, by grade).
    """

    text: str
    golds: tuple[Gold, ...]
    one_is_enough: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions over one folder of documents.

    Attributes:
        name: The name of the file or folder, without extension.
        questions: In the order of the file.
    """

    name: str
    questions: tuple[Question, ...]

    @property
    def answerable(self) -> int:
        """Number of questions with an answer; only these are evaluated."""
        return sum(bool(question.golds) for question in self.questions)

    @property
    def names_headings(self) -> bool:
        """True if an answer names a section."""
        return any(gold.heading for question in self.questions for gold in question.golds)


def read(path: Path) -> Dataset:
    """Read a BEIR folder or a TSV file.

    Raises:
        InvalidInput: It does not exist, is neither, or has no question with an answer.
    """
    if not path.exists():
        raise InvalidInput(f"There is no file or folder {excerpt(str(path))!r} here. Check the path.")
    dataset = (
        Dataset(path.stem, tuple(from_tsv(path))) if path.is_file() else Dataset(path.name, tuple(from_beir(path)))
    )
    if not dataset.answerable:
        raise InvalidInput(f"{path.name} holds no question that names a page. Write: question<TAB>page<TAB>heading")
    return dataset


def by_document(questions: Sequence[Question]) -> list[Question]:
    """Return the questions for ranking whole documents: each document once, with its best grade."""
    merged: list[Question] = []
    for question in questions:
        best = {gold.document: gold for gold in sorted(question.golds, key=lambda gold: gold.grade)}
        golds = (Gold(name, grade=gold.grade) for name, gold in best.items())
        merged.append(replace(question, golds=tuple(golds)))
    return merged


def within(headings: Sequence[str], required: str) -> bool:
    """Return True if a section, by its heading path, is the named one or a part of it.

    A heading is named by consecutive words of it or by its number: `5.1` names `5.1 Keys`, `5.1. Keys` and, as a part
    on any heading level, `5.1.2 Rotation`, but not `5.10 Locks`. Backticks are ignored.
    """
    required = required.replace("`", "")
    start = "^" if required[0].isdigit() else r"(?<!\w)"
    pattern = re.compile(rf"{start}{re.escape(required)}(?!\w)")
    return any(pattern.search(heading) for heading in headings)


def from_tsv(path: Path) -> list[Question]:
    """Read lines of `question <TAB> page[|page] [<TAB> heading[|heading]]`, without a header.

    A heading belongs to every page of its line. Lines without a page are unanswerable.

    Raises:
        InvalidInput: The file cannot be read as UTF-8, or a line has no question or more than three columns.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise InvalidInput(f"{path.name} cannot be read as tab-separated UTF-8 text.") from fault
    return [_question(row, f"{path.name}, line {number}") for number, row in enumerate(rows, 1) if row]


def from_beir(folder: Path) -> list[Question]:
    """Read the questions of a BEIR folder: `queries.jsonl` and `qrels/test.tsv`.

    Raises:
        InvalidInput: A file is missing or not in BEIR's format.
    """
    grades: dict[str, list[Gold]] = {}
    try:
        with (folder / "qrels" / "test.tsv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                if float(row["score"]) > 0:
                    gold = Gold(beir_name(row["corpus-id"]), grade=float(row["score"]))
                    grades.setdefault(row["query-id"], []).append(gold)
        queries = {str(row["_id"]): str(row["text"]) for row in _json_lines(folder / "queries.jsonl")}
    except (OSError, KeyError, ValueError) as fault:
        raise InvalidInput(
            f"{folder.name} is not a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv)."
        ) from fault
    return [Question(queries[key], tuple(golds)) for key, golds in grades.items() if key in queries]


def write_beir_corpus(folder: Path, target: Path) -> None:
    """Write the corpus of a BEIR folder as Markdown files, to be indexed like any folder.

    Raises:
        InvalidInput: `corpus.jsonl` is missing or not in BEIR's format.
    """
    try:
        for row in _json_lines(folder / "corpus.jsonl"):
            title = " ".join(str(row.get("title", "")).split())
            text = f"# {title}\n\n{row['text']}\n" if title else f"{row['text']}\n"
            (target / beir_name(str(row["_id"]))).write_text(text, encoding="utf-8")
    except (OSError, KeyError, ValueError) as fault:
        raise InvalidInput(f"{folder.name}/corpus.jsonl is not a BEIR corpus.") from fault


def beir_name(corpus_id: str) -> str:
    """Return the file name of a BEIR document."""
    return f"{quote(corpus_id, safe='')}.md"


def _question(row: list[str], where: str) -> Question:
    if not row[0].strip() or len(row) > 3:  # noqa: PLR2004 - question, page, heading
        raise InvalidInput(f"{where}: expected question, page and (optional) heading between tabs.")
    pages = [page for page in (row[1].split(ANY) if len(row) > 1 else []) if page]
    headings = row[2].split(ANY) if len(row) > 2 else [""]  # noqa: PLR2004 - the third column
    golds = tuple(Gold(page, heading) for page in pages for heading in headings)
    return Question(row[0].strip(), golds, one_is_enough=True)


def _json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield cast("Mapping[str, Any]", json.loads(line))
