# pyright: basic
"""Alter true values in the ways that models err in, and count which the verifier accepts.

    mutation.py FOLDER… [--misses]

FOLDER has documents with `schema.json` and `expected.json`, as `data/extract` has. Each true value is cited where the
document prints it: the row of a table, or its line and the one above. It counts as labelled if a word of the field's
name or description is there, in a header or in the heading; only labelled ones must be verified. Then each is altered
by one operator at a time; what still is an accepted value is left out. Nothing is drawn from answers of an engine.
"""

import argparse
import importlib.util
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pincite.app import build_reader_pool
from pincite.evidence.claims import ClaimVerifier
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.extraction import Answer, Citation, Material
from pincite.model.schema import ORIGINAL_FILE, Leaf, ListNode, Node, ObjectNode, Schema
from pincite.model.schema import Path as FieldPath
from pincite.services.extraction.extraction import material
from pincite.services.extraction.grounding import ground
from pincite.services.extraction.schemas import read_schema
from pincite.services.reading.reading import Reading
from pincite.text.tables.grids import TextCell, TextGrid, grids
from pincite.text.terms.labels import label_terms
from pincite.text.values.tokens import Conventions, conventions, read_tokens
from pincite.transports.cli.opening import configuration

LEADING = re.compile(r"\A[#\s]+|\b0(?=\d[/.-])|(?<=[/.-])0(?=\d\b)")
"""What changes no value: a sign before a number, the zero of a day."""
MAX_PLACES = 40
"""Occurrences of a value that are looked at for its label."""
MAX_LABEL_CHARS = 300
"""Characters around a value in which its label is looked for."""
MAX_MONTH = 12
MAX_RECORDS = 12
"""Items of a list that are altered."""


Claimed = tuple[Any, tuple[int, int]]
"""A value and the quoted span."""
Mutant = tuple[str, Any, tuple[int, int]]
"""An operator, the altered value, and the quoted span."""


@dataclass(frozen=True)
class Truth:
    """A true value and where the document prints it."""

    path: FieldPath
    node: Leaf
    wanted: Any
    value: Any
    start: int
    end: int
    quote: tuple[int, int]
    is_labelled: bool


class Documents:
    """A document, its tables and its true values."""

    def __init__(self, prepared: Material, schema: Schema, expected: Any, score: ModuleType) -> None:
        self.material, self.schema, self.expected, self.score = prepared, schema, expected, score
        self.text = prepared.document.text
        self.form: Conventions = conventions(self.text)
        self.grids: list[TextGrid] = list(grids(prepared.document))
        self.verifier = ClaimVerifier(prepared)
        self.truths = list(self._truths(schema.root, expected, (), None))

    def _truths(self, node: Node, wanted: Any, path: FieldPath, near: int | None) -> Iterator[Truth]:
        if isinstance(node, ObjectNode) and isinstance(wanted, Mapping):
            found: list[Truth] = []
            for key, child in node.fields.items():
                if path or key != ORIGINAL_FILE:
                    found += self._truths(child, wanted.get(key), (*path, key), near)
            yield from found
        elif isinstance(node, ListNode) and isinstance(wanted, list):
            near = None
            for number, item in enumerate([one for one in wanted if one != "..."][:MAX_RECORDS]):
                record = list(self._record(node.item, item, (*path, number), near))
                near = max((one.end for one in record), default=near)
                yield from record
        elif isinstance(node, Leaf) and (truth := self._place(node, wanted, path, near)):
            yield truth

    def _record(self, node: Node, wanted: Any, path: FieldPath, near: int | None) -> Iterator[Truth]:
        """Yield the values of an item of a list, all in the row where most of them are."""
        if isinstance(node, Leaf):
            yield from self._truths(node, wanted, path, near)
            return
        rows = Counter(row for row, text in self._rows() for key in wanted or () if self._has(text, wanted[key]))
        last = near or 0
        best = max(rows, key=lambda row: (rows[row], row[0] >= last), default=None)
        if best is None or not isinstance(node, ObjectNode):
            return
        for key, child in node.fields.items():
            if isinstance(child, Leaf) and (truth := self._place(child, wanted.get(key), (*path, key), None, best)):
                yield truth

    def _rows(self) -> Iterator[tuple[tuple[int, int], str]]:
        for grid in self.grids:
            for cells in grid.rows[grid.header_rows :]:
                if len(cells) > 1:
                    span = cells[0].start, cells[-1].end
                    yield span, self.text[slice(*span)]

    def _has(self, text: str, wanted: Any) -> bool:
        return any(True for one in answers(wanted) for _ in self._spans(one, text))

    def _spans(self, value: Any, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a text prints a value as a whole: the token, or the words."""
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, int | float):
            for token in read_tokens(text, self.form):
                if len(token.numbers) == 1 and {float(one) for one in token.numbers[0].readings} == {float(value)}:
                    yield token.numbers[0].start, token.numbers[0].end
            return
        words = r"\s+".join(map(re.escape, str(value).split()))
        for match in re.finditer(rf"(?<![\w.,/-]){words}(?![\w/-]|[.,]\d)", text, re.IGNORECASE):
            yield match.span()

    def _place(
        self, node: Leaf, wanted: Any, path: FieldPath, near: int | None, row: tuple[int, int] | None = None
    ) -> Truth | None:
        names = [str(step) for step in path if isinstance(step, str)]
        own = label_terms(f"{names[-1]} {node.description}") if names else frozenset[str]()
        best: tuple[tuple[bool, bool, int], Truth] | None = None
        for value in answers(wanted):
            first, last = row or (0, len(self.text))
            for offset, stop in list(self._spans(value, self.text[first:last]))[:MAX_PLACES]:
                start, end = first + offset, first + stop
                quote = self._quote(start)
                around = self.text[slice(*quote)].replace(self.text[start:end], " ")
                near_label = bool(own & label_terms(around[-MAX_LABEL_CHARS:]))
                header = " ".join(self._headers(start))
                labelled = (
                    near_label or bool(own & label_terms(header)) or bool(own & label_terms(self._heading(start)))
                )
                truth = Truth(path, node, wanted, value, start, end, quote, labelled)
                rank = near_label, labelled, -start if near is None else -abs(start - near)
                if best is None or rank > best[0]:
                    best = rank, truth
        return best[1] if best else None

    def _heading(self, index: int) -> str:
        chunk = self.verifier.chunk_at(index)
        return chunk.heading_path[-1] if chunk and chunk.heading_path else ""

    def cell(self, index: int) -> tuple[TextGrid, TextCell] | None:
        """Return the cell that has an index of the text, with its table."""
        grid = self.verifier.grid_at(index)
        cell = grid.cell_at(index) if grid else None
        return (grid, cell) if grid and cell else None

    def _headers(self, index: int) -> list[str]:
        if (at := self.cell(index)) is None:
            return []
        grid, cell = at
        above = [grid.covering(row, cell.column) for row in range(min(max(1, grid.header_rows), cell.row))]
        directly = grid.covering(cell.row - 1, cell.column) if cell.row else None
        return [one.text for one in (*above, directly) if one]

    def _quote(self, index: int) -> tuple[int, int]:
        """Return the row, or the line with the one above it, that a model would cite."""
        if (at := self.cell(index)) is not None:
            row = at[0].rows[at[1].row]
            return row[0].start, row[-1].end
        first, last = self.text.rfind("\n", 0, index) + 1, self.text.find("\n", index)
        above = self.text[:first].rstrip()
        begin = above.rfind("\n") + 1
        if len(self.text[first:index].strip(" *_#->|")) == 0 and first - begin < MAX_LABEL_CHARS and above:
            first = begin
        return first, last if last >= 0 else len(self.text)

    def claim(self, quote: tuple[int, int]) -> Citation:
        """Return the citation of a span."""
        chunk = self.verifier.chunk_at(quote[0]) or self.material.chunks[0]
        return Citation(chunk.locator, self.text[slice(*quote)].strip())

    def accepted(self, claims: Mapping[FieldPath, tuple[Any, tuple[int, int]]]) -> set[FieldPath]:
        """Return the paths whose values are verified."""
        data: dict[str, Any] = {}
        for path, (value, _) in claims.items():
            put(data, path, value)
        citations = {path: self.claim(quote) for path, (_, quote) in claims.items()}
        result = ground(Answer(data, citations, (), {}), self.schema, self.verifier, Call(), strict=False)
        self.warnings = result.warnings
        return {path for path in claims if is_verified(result.evidence, path)}

    def is_accepted_value(self, value: Any, truth: Truth) -> bool:
        """Return True if a value is right after all; another element of a plain list is."""
        if isinstance(truth.path[-1], int):
            elements = self.expected
            for step in truth.path[:-1]:
                elements = elements[step]
            if any(self.score.same(str(value).lstrip("- "), each) for one in elements for each in answers(one)):
                return True
        return any(
            self.score.same(value, one) or LEADING.sub("", str(value)) == LEADING.sub("", str(one))
            for one in answers(truth.wanted)
        )


def answers(wanted: Any) -> list[Any]:
    if isinstance(wanted, dict):
        return [one for one in wanted["any"] if one is not None]
    return [] if wanted is None or isinstance(wanted, list) else [wanted]


def put(data: Any, path: FieldPath, value: Any) -> None:
    for step, following in zip(path, [*path[1:], None], strict=True):
        empty: Any = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            while len(data) <= step:
                data.append(None)
            if following is None:
                data[step] = value
            elif data[step] is None:
                data[step] = empty
            data = data[step]
        elif following is None:
            data[step] = value
        else:
            data = data.setdefault(step, empty)


def is_verified(evidence: Any, path: FieldPath) -> bool:
    at: Any = evidence
    for step in path:
        if isinstance(at, Mapping) and isinstance(step, int):
            at = at.get("items")
        if isinstance(at, Mapping):
            at = at.get(step)
        else:
            at = at[step] if at is not None and isinstance(step, int) and step < len(at) else None
        if at is None:
            return False
    return isinstance(at, Mapping) and at.get("status") in ("verified", "derived")


def typed(text: str, truth: Truth, form: Conventions) -> Any:
    """Return a text as a model would answer it for the field: the number if its value is one."""
    if isinstance(truth.value, int | float):
        numbers = [one for token in read_tokens(text, form) for one in token.numbers]
        if len(numbers) != 1 or len(numbers[0].readings) != 1:
            return None
        number = float(next(iter(numbers[0].readings)))
        return int(number) if number == int(number) else number
    return text


def mutants(one: Documents, truth: Truth, others: list[Truth]) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """Yield (operator, value, quoted span)."""
    text, quote = str(truth.value), truth.quote
    digits = [index for index, character in enumerate(text) if character in "0123456789"]
    plain = isinstance(truth.value, int | float)

    def number(changed: str) -> Any:
        try:
            return (type(truth.value) if "." not in changed else float)(changed) if plain else changed
        except ValueError:
            return None

    for index in digits[:4]:
        yield "digit dropped", number(text[:index] + text[index + 1 :]), quote
        yield "digit altered", number(text[:index] + str((int(text[index]) + 3) % 10) + text[index + 1 :]), quote
    if plain and truth.value:
        yield "sign", -truth.value, quote
        for power in (10, 1000, 1_000_000):
            yield "magnitude", truth.value * power, quote
            if truth.value % power == 0:
                yield "magnitude", truth.value // power, quote
    yield from swapped_days(text, quote)
    if not plain:
        yield from spans(one, truth)
    yield from displaced(one, truth)
    for other in others:
        is_beside = other.path[:-1] == truth.path[:-1]
        if other.path != truth.path and is_beside:
            yield "another label", typed(one.text[other.start : other.end], truth, one.form), other.quote


def swapped_days(text: str, quote: tuple[int, int]) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """Yield a date with day and month exchanged."""
    swapped = re.fullmatch(r"(\d{1,2})([./-])(\d{1,2})([./-]\d{2,4})", text)
    if swapped and swapped[1] != swapped[3]:
        yield "day and month", f"{swapped[3]}{swapped[2]}{swapped[1]}{swapped[4]}", quote
    iso = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text)
    if iso and int(iso[3]) <= MAX_MONTH and iso[2] != iso[3]:
        yield "day and month", f"{iso[1]}-{iso[3]}-{iso[2]}", quote


def spans(one: Documents, truth: Truth) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """Yield a text without some of its words, and with words beside it."""
    text, quote = str(truth.value), truth.quote
    words = text.split()
    for shorter in (words[:1], words[:-1], words[1:], words[-1:]) if len(words) > 1 else ():
        yield "shorter span", " ".join(shorter), quote
    line = one.text[truth.end : truth.end + 80].split("\n")[0]
    after = re.match(r"[\s|*:,;]*([^\s|*]+)(?:[\s|*]+([^\s|*]+))?", line)
    before = re.search(r"([^\s|*:]+)[\s|*:]*\Z", one.text[max(0, truth.start - 60) : truth.start].split("\n")[-1])
    for extra in filter(None, (after and after[1], after and after[2] and f"{after[1]} {after[2]}")):
        yield "longer span", f"{text} {extra}", quote
    if before:
        yield "longer span", f"{before[1]} {text}", quote


def displaced(one: Documents, truth: Truth) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """Yield what stands beside, above and below the value."""
    at = one.cell(truth.start)
    if at is None:
        for token in read_tokens(one.text[slice(*truth.quote)], one.form)[:6]:
            start, end = truth.quote[0] + token.start, truth.quote[0] + token.end
            if end <= truth.start or truth.end <= start:
                yield "neighbour", typed(one.text[start:end], truth, one.form), truth.quote
        after = one.text.find("\n", truth.end)
        for first in (after + 1, one.text.rfind("\n", 0, max(0, one.text.rfind("\n", 0, truth.start))) + 1):
            last = one.text.find("\n", first)
            line = one.text[first : last if last >= 0 else None]
            if after >= 0 and line.strip():
                yield (
                    "another line",
                    typed(line.split(":")[-1].strip(" *_#|"), truth, one.form),
                    (first, first + len(line)),
                )
        return
    grid, cell = at
    row = grid.rows[cell.row]
    for other in row:
        if other is not cell:
            yield "another column", typed(other.text, truth, one.form), truth.quote
    for number in {cell.row - 1, cell.row + 1, cell.row + 2, len(grid.rows) - 1}:
        cells = grid.rows[number] if 0 <= number < len(grid.rows) else []
        other = next((each for each in cells if each.column == cell.column), None)
        if other is not None and other.text != cell.text and number != cell.row:
            yield "another row", typed(other.text, truth, one.form), (cells[0].start, cells[-1].end)
            yield "another row, its own words", typed(other.text, truth, one.form), truth.quote


def score(one: Documents, made: Counter[str], accepted: Counter[str], *, name: str, misses: bool) -> None:
    true = {truth.path: (truth.value, truth.quote) for truth in one.truths}
    verified = one.accepted(true)
    for warning in one.warnings if misses else ():
        print(f"{name}: {warning[:200]}")
    for truth in one.truths:
        kind = "true, labelled" if truth.is_labelled else "true, not labelled"
        made[kind] += 1
        accepted[kind] += truth.path in verified
        if misses and truth.is_labelled and truth.path not in verified:
            print(f"{name}: refused {truth.path} {truth.value!r} in {one.text[slice(*truth.quote)][:120]!r}")
    queues = {truth.path: list(mutants(one, truth, one.truths)) for truth in one.truths}
    by_path = {truth.path: truth for truth in one.truths}
    while any(queues.values()):
        for path, (operator, value, quoted) in altered_once(one, true, queues, by_path).items():
            made[operator] += 1
            is_wrong = path in quoted
            accepted[operator] += is_wrong
            if misses and is_wrong:
                print(f"{name}: {operator} {path} {value!r} for {true[path][0]!r} in {quoted[path][:120]!r}")


def altered_once(
    one: Documents, true: Mapping[FieldPath, Claimed], queues: Mapping[FieldPath, list[Mutant]],
    truths: Mapping[FieldPath, Truth],
) -> dict[FieldPath, tuple[str, Any, dict[FieldPath, str]]]:  # fmt: skip
    """Verify the truth with one altered value an item of a list, whose others tell its row."""
    claims = dict(true)
    altered: dict[FieldPath, str] = {}
    busy: set[FieldPath] = set()
    for path, queue in queues.items():
        item = path[: next((number + 1 for number, step in enumerate(path) if isinstance(step, int)), len(path))]
        if not queue or item in busy:
            continue
        operator, value, quote = queue.pop()
        if value is None or value == "" or one.is_accepted_value(value, truths[path]):
            continue
        busy.add(item)
        claims[path], altered[path] = (value, quote), operator
    verified = one.accepted(claims) if altered else set[FieldPath]()
    quoted = {path: one.text[slice(*claims[path][1])] for path in altered if path in verified}
    return {path: (operator, claims[path][0], quoted) for path, operator in altered.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--misses", action="store_true", help="print each refused true value and each verified mutant")
    options = parser.parse_args()
    file = Path(os.environ.get("PINCITE_DATA", "data")) / "extract" / "score.py"
    spec = importlib.util.spec_from_file_location("extract_score", file)
    if spec is None or spec.loader is None:
        raise SystemExit(f"No {file}: set PINCITE_DATA.")
    same = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(same)
    made: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    with closing(build_reader_pool(configuration.for_shell(None, None))) as pool:
        reading = Reading(pool)
        for expected in sorted(one for folder in options.folders for one in folder.glob("*/expected.json")):
            folder = expected.parent
            document = next(one for one in folder.iterdir() if one.stem == "document")
            read = reading.read(Blob(document.name, document.read_bytes()), Call())
            schema = read_schema(json.loads((folder / "schema.json").read_text()))
            one = Documents(material(read, Call()), schema, json.loads(expected.read_text()), same)
            score(one, made, accepted, name=folder.name, misses=options.misses)
    for operator, count in sorted(made.items(), key=lambda item: (not item[0].startswith("true"), item[0])):
        print(f"{operator:32} {count:7} verified {accepted[operator]:6} {100 * accepted[operator] / count:7.2f} %")
    false = [one for one in made if not one.startswith("true")]
    total = sum(made[one] for one in false)
    wrong = sum(accepted[one] for one in false)
    print(f"{'all mutants':32} {total:7} verified {wrong:6} {100 * wrong / max(1, total):7.2f} %")


if __name__ == "__main__":
    main()
