# pyright: basic, reportPrivateImportUsage=false, reportMissingImports=false
"""Fit the weights that decide about tables: one command, the same model from the same inputs and seed.

    python eval/reading/fit.py rows|rows_again|readings PRINTS
        [--folds 5] [--out MODEL.npz] [--each-fold FOLDER] [--collect FILE]

`rows`: does a line of a table begin a row? `rows_again`: does it, by what `rows` says of the others? `readings`: how
right is a table that was found? PRINTS is a folder of `eval/prints/generate.py`; `tables-arxiv` and `reading/icdar` of
PINCITE_DATA have tables of real documents. Needs LightGBM and rapidfuzz, which pincite does not: an environment of
their own with pincite in its path. Prints the share of right decisions (of readings, one minus the mean difference) for
documents that were left out (folds by document), and for each producer left out as a whole.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import pickle
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium

from pincite.formats.pdf.layout.page_content import page_content
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables import find, regroup
from pincite.formats.pdf.tables import readings as table_readings
from pincite.formats.pdf.tables.regroup import body_lines, line_numbers, regrouped

sys.path.insert(0, str(Path(__file__).resolve().parent))
from folds import FOLDS, fold_of

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
COLOUR_STEP = 37
SETTINGS = {
    "objective": "binary",
    "learning_rate": 0.12,
    "num_leaves": 20,
    "max_depth": 8,
    "min_data_in_leaf": 30,
    "max_bin": 63,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "use_missing": False,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "seed": 7,
    "verbose": -1,
}
ROUNDS = {"rows": 200, "readings": 600}
READINGS = {
    "objective": "cross_entropy",
    "learning_rate": 0.05,
    "num_leaves": 12,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.3,
}
WEIGHTS = {"rows": {"arxiv": 6.0, "icdar": 6.0}, "readings": {"arxiv": 4.0, "icdar": 8.0, "filing": 2.0}}
"""Of what real documents show; that of a print is 1."""
EVEN = 0.5
UNKNOWN = -1


class TrueCell(NamedTuple):
    """The cell of a word: table, row, rows spanned, column."""

    table: int
    row: int
    rows: int
    column: int


class Samples(NamedTuple):
    """Pairs of lines, or of words, of one document."""

    name: str
    producer: str
    features: np.ndarray
    labels: np.ndarray
    tables: np.ndarray = np.zeros(0)
    """Number of the table of each pair of lines."""


def folded(text: str) -> str:
    return re.sub(r"\W", "", unicodedata.normalize("NFKD", text).lower())


def prints(folder: Path) -> Iterator[tuple[str, str, Path, Any]]:
    for path in sorted(folder.glob("*.pdf")):
        truth = json.loads(path.with_suffix(".json").read_text("utf-8"))
        cells = {
            cell["colour"]: TrueCell(number, cell["row"], cell["rows"], cell["column"])
            for number, table in enumerate(truth["tables"])
            for cell in table["cells"]
        }
        if not path.stem.startswith("witness"):
            yield (
                path.stem,
                truth["engine"],
                path,
                lambda words, _page, cells=cells: {
                    word.first: cells[word.colour] for word in words if word.colour in cells
                },
            )


def icdar() -> Iterator[tuple[str, str, Path, Any]]:
    for path in sorted((DATA / "reading/icdar").glob("*.pdf")):
        boxes: dict[int, list[tuple[float, ...]]] = defaultdict(list)
        for file in sorted(path.parent.glob(f"{path.stem}*-str.xml")):
            if re.fullmatch(rf"{path.stem}[a-z]?-str.xml", file.name):
                read_icdar(file, boxes)
        yield (
            path.stem,
            "icdar",
            path,
            lambda words, page, boxes=boxes: {
                word.first: cell for word in words if (cell := cell_at(word, page, boxes)) is not None
            },
        )


def read_icdar(file: Path, boxes: dict[int, list[tuple[float, ...]]]) -> None:
    for number, table in enumerate(ET.parse(file).getroot().iter("table")):  # noqa: S314 - our own data
        for region in table.findall("region"):
            shift = int(float(region.get("row-increment") or 0))
            for cell in region.findall("cell"):
                box = cell.find("bounding-box")
                if box is not None:
                    first = int(cell.get("start-row") or 0)
                    last = int(cell.get("end-row") or first)
                    edges = [
                        float(re.sub(r"[^\d.-]", "", box.get(name) or "") or 0) for name in ("x1", "y1", "x2", "y2")
                    ]
                    key = int(hashlib.sha256(f"{file.name}{number}".encode()).hexdigest()[:6], 16)
                    column = int(cell.get("start-col") or 0)
                    boxes[int(region.get("page") or 1)].append((*edges, key, first + shift, last - first + 1, column))


def cell_at(word: Word, page: Any, boxes: Mapping[int, list[tuple[float, ...]]]) -> TrueCell | None:
    x, y = (word.x0 + word.x1) / 2, page.space.height - (word.y0 + word.y1) / 2
    for x1, y1, x2, y2, *cell in boxes.get(page.number, ()):
        if min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return TrueCell(*map(int, cell))
    return None


def arxiv() -> Iterator[tuple[str, str, Path, Any]]:
    folder = DATA / "tables-arxiv"
    spec = importlib.util.spec_from_file_location("score", folder / "score.py")
    score: Any = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(score)  # type: ignore[union-attr]
    for path in sorted((folder / "2026-q1-tables-only/pdfs").glob("*.pdf")):
        truth = json.loads((path.parents[1] / "ground_truth" / f"{path.stem}.json").read_text("utf-8"))
        letters: list[str] = []
        owners: list[TrueCell | None] = []
        for number, entry in enumerate(truth):
            texts = [(entry["data"], None)]
            if entry["type"] == "table":
                cells = sorted(score.true_table(entry["data"]), key=lambda cell: (cell[1], cell[2]))
                texts = [(text, TrueCell(number, row, rows, column)) for text, row, column, rows, _ in cells]
            for text, owner in texts:
                part = folded(score.canon(text) if owner else text)
                letters.append(part)
                owners += [owner] * len(part)
        source = "".join(letters)
        yield (
            path.stem,
            "arxiv",
            path,
            lambda words, _page, source=source, owners=owners: aligned(words, source, owners),
        )


def aligned(words: list[Word], text: str, owners: list[TrueCell | None]) -> dict[int, TrueCell]:
    """Return the cells of words: their letters in file order, aligned to the source's."""
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - only real papers need it

    parts = [(word, folded(word.text)) for word in sorted(words, key=lambda word: word.first)]
    letters = "".join(part for _, part in parts)
    mapped: list[TrueCell | None] = [None] * len(letters)
    for op in Indel.opcodes(letters, text):
        if op.tag == "equal":
            mapped[op.src_start : op.src_end] = owners[op.dest_start : op.dest_end]
    cells: dict[int, TrueCell] = {}
    at = 0
    for word, part in parts:
        counts = Counter(owner for owner in mapped[at : at + len(part)] if owner)
        at += len(part)
        if counts and 2 * counts.most_common(1)[0][1] > len(part):
            cells[word.first] = counts.most_common(1)[0][0]
    return cells


def readings(name: str, producer: str, path: Path, label: Any) -> Samples:
    """Return the readings of a document's pages as tables, each with the share of its relations that is true."""
    features: list[np.ndarray] = []
    labels: list[float] = []
    document = pdfium.PdfDocument(path)
    for number in range(1, len(document) + 1):
        with open_page(document.raw, number) as page:
            content = page_content(page)
            truth = label(list(content.words), page)
        with true_likelihoods(content, truth) as known:
            turned = [word for word in content.words if word.turns]
            find.find_tables(content.rows, content.rules, turned=turned)
        for measured, likely in known:
            features.append(measured)
            labels += likely
    empty = np.zeros((0, 0))
    return Samples(name, producer, np.vstack(features) if features else empty, np.array(labels))


@contextmanager
def true_likelihoods(content: Any, truth: Mapping[int, TrueCell]) -> Iterator[list[tuple[np.ndarray, list[float]]]]:
    """Let readings be chosen by the truth, and yield the features and likelihoods of all that are looked at."""
    known: list[tuple[np.ndarray, list[float]]] = []
    places = line_numbers(content.rows)

    def likelihoods(found: Any, lines: Any, rules: Any) -> np.ndarray:
        drafts = [regrouped(draft, places, rules) for draft in found]
        likely = [true_share(draft, truth) for draft in drafts]
        known.append((table_readings.features(found, lines, rules), likely))
        return np.array(likely)

    find.likelihoods, original = likelihoods, find.likelihoods
    try:
        yield known
    finally:
        find.likelihoods = original


def true_share(draft: Any, truth: Mapping[int, TrueCell]) -> float:
    """Return the F1 of rows and of neighbouring cells, to the tables that a draft has most words of.

    A name of several rows may stand in any of a header.
    """
    words = [word.first for word in draft.words]
    inside = Counter(truth[first].table for first in words if first in truth)
    sizes = Counter(cell.table for cell in truth.values())
    most = {table for table, count in inside.items() if 2 * count > sizes[table]}
    most |= {table for table, _ in inside.most_common(1)}
    top = {table: min(cell.row for cell in truth.values() if cell.table == table) for table in most}
    tall = {first for first, cell in truth.items() if cell.rows > 1 and cell.row == top.get(cell.table)}
    true: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for first, cell in truth.items():
        if cell.table in most and first not in tall:
            true[cell.table, cell.row, cell.column].add(first)
    found: dict[tuple[int, int, int], set[int]] = {}
    for cell in draft.cells:
        own = {word.first for word in cell.words} - tall
        if own:
            found[0, cell.row, cell.column] = own & truth.keys() or {-1 - first for first in own}
    return sum(agreement_of(of(true), of(found)) for of in (relations, whole_rows)) / 2


def agreement_of(wanted: AbstractSet[Any], got: AbstractSet[Any]) -> float:
    return 2 * len(wanted & got) / max(1, len(wanted) + len(got))


def whole_rows(cells: Mapping[tuple[int, int, int], set[int]]) -> set[tuple[frozenset[int], ...]]:
    """Return the cells of each row, from the left."""
    return {tuple(frozenset(cells[at]) for at in row) for _, row in groupby(sorted(cells), key=lambda at: at[:2])}


def relations(cells: Mapping[tuple[int, int, int], set[int]]) -> set[tuple[frozenset[int], frozenset[int], int]]:
    """Return each two neighbours at the right of or below each other, with blanks passed over."""
    pairs: set[tuple[frozenset[int], frozenset[int], int]] = set()
    for way in (0, 1):
        order = sorted(cells, key=lambda at: (at[0], at[1 + way], at[2 - way]))
        pairs |= {
            (frozenset(cells[one]), frozenset(cells[other]), way)
            for one, other in pairwise(order)
            if one[0] == other[0] and one[1 + way] == other[1 + way]
        }
    return pairs


def rows(name: str, producer: str, path: Path, label: Any) -> Samples:
    """Return the pairs of lines of the tables that are found in a document, with their truth."""
    features: list[np.ndarray] = []
    labels: list[int] = []
    tables: list[int] = []
    document = pdfium.PdfDocument(path)
    for number in range(1, len(document) + 1):
        with open_page(document.raw, number) as page:
            content = page_content(page)
            truth = label(list(content.words), page)
            drafts = drafts_of(content, truth)
        places = line_numbers(content.rows)
        for draft in drafts:
            lines, known = body_lines(draft, places)
            if len(lines) > 1:
                answers = begins(lines, truth)
                if not any(answer is not None for answer in answers):
                    # A table that is none stays as it is.
                    answers = [below > above for above, below in pairwise(known)]
                tables += [len(features)] * len(answers)
                features.append(regroup.features(lines, known, content.rules))
                labels += [UNKNOWN if answer is None else int(answer) for answer in answers]
    empty = np.zeros((0, 0))
    return Samples(name, producer, np.vstack(features) if features else empty, np.array(labels), np.array(tables))


def again(parts: list[Samples], folds: int) -> list[Samples]:
    """Return pairs of lines with what weights that never saw the document say of those of their table."""
    more: list[Samples] = []
    for fold in range(folds):
        booster = fitted([part for part in parts if fold_of(part.name, folds) != fold])
        for part in (part for part in parts if fold_of(part.name, folds) == fold):
            likely = booster.predict(part.features)
            of_table = [part.tables == number for number in np.unique(part.tables)]
            features = [regroup.features_again(part.features[own], likely[own]) for own in of_table]
            more.append(part._replace(features=np.vstack(features)))
    return more


def with_answers(parts: list[Samples]) -> list[Samples]:
    """Return pairs of lines without those of which the truth does not say whether they begin a row."""
    known = [(part, part.labels != UNKNOWN) for part in parts]
    return [part._replace(features=part.features[own], labels=part.labels[own]) for part, own in known if own.any()]


def drafts_of(content: Any, truth: Mapping[int, TrueCell]) -> list[Any]:
    """Return the tables of a page as they are before their rows are grouped, chosen by the truth."""
    known: list[Any] = []
    original = find.regrouped

    def record(draft: Any, *_: Any) -> Any:
        known.append(draft)
        return draft

    find.regrouped = record
    try:
        with true_likelihoods(content, truth):
            turned = [word for word in content.words if word.turns]
            find.find_tables(content.rows, content.rules, turned=turned)
    finally:
        find.regrouped = original
    return known


def begins(lines: Sequence[regroup.LineCells], truth: Mapping[int, TrueCell]) -> list[bool | None]:
    """Return, for each line but the first, whether it begins a row; None if the truth does not say.

    A line of labels of several rows alone belongs to the row of the line before it.
    """
    answers: list[bool | None] = []
    above: set[tuple[int, int]] = set()
    for number, line in enumerate(lines):
        cells = [truth[word.first] for part in line.values() for word in part if word.first in truth]
        rows = {(cell.table, cell.row) for cell in cells if cell.rows == 1}
        if number:
            if not cells:
                answers.append(None)
            elif not rows or not above:
                answers.append(False)
            else:
                answers.append(not rows & above)
        above = rows or above
    return answers


def fitted(parts: list[Samples]) -> Any:
    import lightgbm  # noqa: PLC0415 - only the one who fits needs it

    parts = with_answers(parts)
    x = np.vstack([part.features for part in parts])
    y = np.concatenate([part.labels for part in parts])
    decision = "rows" if is_yes_or_no(parts[0]) else "readings"
    weights = np.concatenate([np.full(len(part.labels), WEIGHTS[decision].get(part.producer, 1.0)) for part in parts])
    settings = SETTINGS if decision == "rows" else {**SETTINGS, **READINGS}
    return lightgbm.train(settings, lightgbm.Dataset(x, y, weight=weights), ROUNDS[decision])


def write_model(booster: Any, path: Path) -> None:
    """Write the trees as arrays: float64 thresholds, so that the decisions are the library's."""
    nodes: list[tuple[int, float, int, int, float]] = []
    deepest = 0

    def add(node: Any, depth: int) -> int:
        nonlocal deepest
        deepest = max(deepest, depth)
        at = len(nodes)
        nodes.append((0, 0.0, at, at, node.get("leaf_value", 0.0)))
        if "split_feature" in node:
            left, right = add(node["left_child"], depth + 1), add(node["right_child"], depth + 1)
            nodes[at] = (node["split_feature"], node["threshold"], left, right, 0.0)
        return at

    roots = [add(tree["tree_structure"], 0) for tree in booster.dump_model()["tree_info"]]
    features, thresholds, left, right, values = zip(*nodes, strict=True)
    np.savez_compressed(
        path,
        roots=np.array(roots, np.int32),
        depth=np.array(deepest),
        features=np.array(features, np.int32),
        thresholds=np.array(thresholds),
        left=np.array(left, np.int32),
        steps=np.array(right, np.int32) - np.array(left, np.int32),
        values=np.array(values, np.float32),
    )


def agreement(booster: Any, part: Samples) -> float:
    """Return the number of right decisions; of shares, how close all are."""
    found = booster.predict(part.features)
    found = found >= EVEN if is_yes_or_no(part) else found
    return float((1 - np.abs(found - part.labels)).sum())


def is_yes_or_no(part: Samples) -> bool:
    return part.labels.dtype.kind == "i"


def report(parts: list[Samples], folds: int) -> None:
    producers = sorted({part.producer for part in parts})
    print("| producer | pairs | yes | left-out folds | producer left out |\n|---|---|---|---|---|")
    right: defaultdict[str, float] = defaultdict(float)
    for fold in range(folds):
        booster = fitted([part for part in parts if fold_of(part.name, folds) != fold])
        for part in parts:
            if fold_of(part.name, folds) == fold and len(part.labels):
                right[part.producer] += agreement(booster, part)
    for producer in producers:
        own = [part for part in parts if part.producer == producer and len(part.labels)]
        booster = fitted([part for part in parts if part.producer != producer])
        count = sum(len(part.labels) for part in own)
        without = sum(agreement(booster, part) for part in own)
        ones = sum(part.labels.sum() for part in own)
        print(f"| {producer} | {count} | {ones / count:.3f} | {right[producer] / count:.3f} | {without / count:.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decision", choices=("rows", "rows_again", "readings"))
    parser.add_argument("prints", type=Path)
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--each-fold", type=Path, help="a folder for a model without each fold")
    parser.add_argument("--collect", type=Path, help="keep the features there, or take them from there")
    given = parser.parse_args()
    if given.collect and given.collect.exists():
        parts = pickle.loads(given.collect.read_bytes())  # noqa: S301 - our own file
    else:
        documents = [*prints(given.prints), *icdar(), *arxiv()]
        collect = readings if given.decision == "readings" else rows
        parts = [part for document in documents if len((part := collect(*document)).labels)]
        if given.collect:
            given.collect.write_bytes(pickle.dumps(parts))
            return
    parts = again(parts, given.folds) if given.decision == "rows_again" else parts
    report(with_answers(parts), given.folds)
    if given.each_fold:
        for fold in range(given.folds):
            left = [part for part in parts if fold_of(part.name, given.folds) != fold]
            write_model(fitted(left), given.each_fold / f"{given.decision}-{fold}.npz")
    if given.out:
        write_model(fitted(parts), given.out)


if __name__ == "__main__":
    sys.exit(main())
