"""The engine `rules`: candidates of the document, scored and assigned to all fields at once; without a model."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import Any

from pincite.agents.rules.attached import prefer_attached
from pincite.agents.rules.exclusions import is_no_year, is_of_a_period, unit_of
from pincite.agents.rules.options import MIN_SCORE, Field, Option, make_field, score
from pincite.agents.rules.per_model import ModelTable, model_tables
from pincite.agents.rules.records import read_records
from pincite.agents.rules.typing import TypedValue, is_formed, typed_value, with_unit
from pincite.model.call import Call
from pincite.model.extraction import Answer, Citation, Material
from pincite.model.schema import (
    ORIGINAL_FILE,
    Leaf,
    LeafType,
    ListNode,
    ObjectNode,
    Path,
    PerModel,
    Schema,
    dotted,
    fields_of,
)
from pincite.text.tables.grids import TextCell, TextGrid, grids, printed_text
from pincite.text.terms.fitting import MIN_FIT, FieldName, fit, is_better
from pincite.text.terms.label_index import collect
from pincite.text.terms.labels import label_terms
from pincite.text.terms.page_tables import page_tables
from pincite.text.terms.pairs import Pair, Source
from pincite.text.terms.vocabulary import Vocabulary, plain_words
from pincite.text.values.tokens import XML_CONVENTIONS, conventions

_MAX_EXPLAINED = 5
"""Candidates of a field that an explanation lists."""
_MIN_NAMED_SCORE = 0.3
"""Score from which a label that does not fit is named to a person: below, it shares a common word at most."""
_MAX_SHOWN_CHARS = 40
_TIE = 0.02
"""Difference of scores within which two different values leave a field open: a threshold alone cannot abstain."""
_PROSE_TIE = 1.0
"""The same of a sentence, whose words around a value say little of how well it fits."""
_APPOSITION = re.compile(r",\s+(?:an?|as|the)\s")
_MAX_TITLE_WORDS = 8
"""Words of a line above a table that may be its title."""
_LIST_ITEM = re.compile(r"[^,;\n]+")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}\.)\s+(?P<item>\S.*?)\s*$", re.MULTILINE)


@dataclass(slots=True)
class _Filling:
    """What was found so far."""

    data: dict[str, Any] = field(default_factory=dict[str, Any])
    citations: dict[Path, Citation] = field(default_factory=dict[Path, Citation])
    explanation: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    notes: list[str] = field(default_factory=list[str])

    def put(self, path: Path, value: Any) -> None:
        at: Any = self.data
        for step in path[:-1]:
            at = at.setdefault(step, {})
        at[path[-1]] = value


class RulesEngine:
    """Implements `Engine`."""

    name = "rules"
    limits_its_time = False

    def extract(self, material: Material, schema: Schema, call: Call) -> Answer:
        """See `Engine.extract`."""
        reading = _Reading(material, schema, call)
        call.check()
        reading.scalars(call)
        reading.tables(call)
        filling = reading.filling
        return Answer(filling.data, filling.citations, tuple(filling.notes), {}, tuple(filling.explanation))


class _Reading:
    def __init__(self, material: Material, schema: Schema, call: Call) -> None:
        self.material = material
        self.text = material.document.text
        self.printed = printed_text(material.document)
        self.form = conventions(self.printed)
        self.grids: list[TextGrid] = list(grids(material.document))
        self.models: list[ModelTable] = model_tables(self.grids)
        named = (make_field(path, node) for path, node in fields_of(schema.root, ()))
        self.fields = [one for one in named if one.path != (ORIGINAL_FILE,)]
        self.by_term: dict[str, list[Field]] = {}
        for one in self.fields:
            for term in one.name.terms:
                self.by_term.setdefault(term, []).append(one)
        self.vocabulary = Vocabulary.of(schema.root)
        self.labels = collect(material, self.grids, self.vocabulary, call)
        self.candidates = self.labels.pairs
        self.starts = [chunk.start for chunk in material.chunks]
        self.filling = _Filling()
        self.nearest: dict[Path, str] = {}

    def scalars(self, call: Call) -> None:
        """Assign candidates to the fields of one value, the best pair first: one text is the value of one field."""
        options: dict[Path, list[Option]] = {}
        for number, one in enumerate(self.fields):
            call.check()
            call.progress(number, len(self.fields), "fields searched")
            if isinstance(one.node, Leaf):
                preferred = prefer_attached(self._options(one, one.node), self.printed, self.form, self._headings)
                options[one.path] = preferred.options
                if preferred.note:
                    self.filling.notes.append(f"Field '{dotted(one.path)}': {preferred.note}")
        chosen: dict[Path, Option] = {}
        for option in sorted((one for many in options.values() for one in many), key=attrgetter("rank")):
            taken = (one for one in chosen.values() if _overlap(option.span, one.span))
            if option.field.path in chosen or any(taken):
                continue
            if not self._is_open(option, options[option.field.path], {one.span for one in chosen.values()}):
                chosen[option.field.path] = option
        self._currency(options, chosen)
        for path, option in chosen.items():
            self.filling.put(path, option.value.value)
            self.filling.citations[path] = self._citation(option)
        for path, many in options.items():
            self._explain(path, many, chosen.get(path))

    def _currency(self, options: Mapping[Path, list[Option]], chosen: dict[Path, Option]) -> None:
        """Take the currency of the amounts where no label names it and all amounts have the same."""
        for one in self.fields:
            if not isinstance(one.node, Leaf) or one.path in chosen or one.path not in options:
                continue
            if label_terms(str(one.path[-1])) != frozenset({"currency"}):
                continue
            typed = ((each, typed_value(each.value, one.node, one.kind, self.form)) for each in self.candidates)
            found = [Option(one, each, MIN_SCORE, value) for each, value in typed if value is not None]
            if len({option.value.value for option in found}) == 1:
                chosen[one.path] = found[0]

    def _options(self, one: Field, node: Leaf) -> list[Option]:
        found: list[Option] = []
        nearest: tuple[float, str] = (0.0, "no label fits")
        of_periods = 0.0
        for own, candidate in self.labels.named(one.name):
            value = score(one, candidate, own)
            if value < MIN_SCORE or any(
                is_better(rival, one.name, candidate) for rival in self._rivals(one, candidate)
            ):
                continue
            if is_of_a_period(one, candidate):
                label = candidate.label[:_MAX_SHOWN_CHARS]
                near = f"the label {label!r} fits, and its row has other values for other periods"
                nearest = max(nearest, (value, near), key=itemgetter(0))
                of_periods = max(of_periods, value)
                continue
            if self._is_of_one_model(candidate):
                continue
            form = XML_CONVENTIONS if candidate.is_attached else self.form
            typed = typed_value(candidate.value, node, one.kind, form)
            typed = with_unit(typed, node, one.kind, unit_of(candidate))
            # Of words that may be those of the next label only what has a form of its own is a value.
            is_cut = candidate.is_open and isinstance(typed and typed.value, str) and not is_formed(node, one.kind)
            if typed is not None and not is_cut and not is_no_year(one, candidate, typed):
                found.append(Option(one, candidate, value, typed))
            else:
                label, text = candidate.label[:_MAX_SHOWN_CHARS], candidate.value[:_MAX_SHOWN_CHARS]
                near = f"the label {label!r} fits, but its text is not of the field's type: {text!r}"
                nearest = max(nearest, (value, near), key=itemgetter(0))
        if not found and not nearest[0]:
            sharing = ((candidate, fit(one.name, candidate)) for candidate in self.labels.sharing(one.name.names))
            below = ((score(one, candidate, own), candidate.label) for candidate, own in sharing)
            value, label = max(below, default=(0.0, ""))
            near = f"no label fits; the nearest is {label[:_MAX_SHOWN_CHARS]!r}, with {value:.2f} of {MIN_FIT}"
            nearest = (value, near) if value >= _MIN_NAMED_SCORE else nearest
        self.nearest[one.path] = nearest[1]
        # Where a table has the field for several periods, another place that names it no better is of one of them.
        return sorted((one for one in found if one.score > of_periods + _TIE), key=attrgetter("rank"))

    def _rivals(self, one: Field, candidate: Pair) -> Iterator[FieldName]:
        """Yield the names of other fields that have a word of a candidate's label."""
        sharing = {id(other): other for term in label_terms(candidate.label) for other in self.by_term.get(term, ())}
        return (other.name for other in sharing.values() if other is not one and _may_be(other, candidate))

    def _headings(self, index: int) -> Sequence[str]:
        return self.material.chunks[max(0, bisect_right(self.starts, index) - 1)].heading_path[-1:]

    def _is_of_one_model(self, candidate: Pair) -> bool:
        """Return True for a value of one model where others have another: it is not the value of the series."""
        table = next((one for one in self.models if one.grid is candidate.grid), None)
        if table is None or candidate.cell is None:
            return False
        return len({cell.text for _, cell in table.values(candidate.cell.row)}) > 1

    def _is_open(self, option: Option, many: Sequence[Option], taken: set[tuple[int, int]]) -> bool:
        """Return True if another value of the same field is as good and still free."""
        margin = _PROSE_TIE if option.candidate.is_prose else _TIE
        for other in many:
            if other.score < option.score - margin:
                return False
            span = other.span
            is_same = _plain(other.value.value) == _plain(option.value.value)
            if not is_same and span not in taken and not _overlap(span, option.span):
                return other.candidate.source <= option.candidate.source
        return False

    def _citation(self, option: Option) -> Citation:
        candidate = option.candidate
        start, end = option.span
        first = min(candidate.quote_start, start)
        if candidate.source is Source.TABLE_COLUMN:
            first = start
        return self._cited((start, end), (first, max(end, candidate.quote_end)), candidate.label)

    def _cited(self, span: tuple[int, int], quote: tuple[int, int], label: str) -> Citation:
        return Citation(self._locator(span[0]), self.text[slice(*quote)], label, span, quote)

    def _locator(self, index: int) -> str:
        return self.material.chunks[max(0, bisect_right(self.starts, index) - 1)].locator

    def _explain(self, path: Path, many: Sequence[Option], chosen: Option | None) -> None:
        listed = [
            {
                "value": option.value.value,
                "label": option.candidate.label,
                "source": option.candidate.source.name.lower(),
                "score": round(option.score, 3),
                "chosen": option is chosen,
            }
            for option in many[:_MAX_EXPLAINED]
        ]
        tie = "several values fit as well as each other, or another field has the one that fits best"
        reason = "" if chosen else tie if many else self.nearest[path]
        self.filling.explanation.append({"field": dotted(path), "candidates": listed, "reason": reason})

    def tables(self, call: Call) -> None:
        """Fill dictionaries by model and lists."""
        for one in self.fields:
            call.check()
            if isinstance(one.node, PerModel):
                self._per_model(one, one.node)
            elif isinstance(one.node, ListNode):
                self._list(one, one.node)
            else:
                continue
            self._explain_many(one)

    def _explain_many(self, one: Field) -> None:
        """Say how many values a list or a dictionary has and what names them, or why it has none."""
        labels = [cited.label for path, cited in self.filling.citations.items() if path[: len(one.path)] == one.path]
        listed = [{"value": f"{len(labels)} values", "label": next(filter(None, labels), ""), "source": "list",
                   "score": 1.0, "chosen": True}] if labels else []  # fmt: skip
        reason = (
            "" if labels else self.nearest.get(one.path, "no table has rows of its fields, or columns of its models")
        )
        self.filling.explanation.append({"field": dotted(one.path), "candidates": listed, "reason": reason})

    def _per_model(self, one: Field, node: PerModel) -> None:
        if not isinstance(node.value, Leaf):
            return
        scored: list[tuple[float, Pair, ModelTable]] = []
        for own, candidate in self.labels.named(one.name):
            table = next((table for table in self.models if table.grid is candidate.grid), None)
            if table is not None and candidate.cell is not None and candidate.source is Source.TABLE_ROW:
                scored.append((score(one, candidate, own), candidate, table))
        if not scored:
            return
        best = max(scored, key=lambda option: option[0])
        cell = best[1].cell
        values: dict[str, Any] = {}
        for header, value_cell in best[2].values(cell.row if cell else 0):
            typed = typed_value(value_cell.text, node.value, one.kind, self.form)
            typed = with_unit(typed, node.value, one.kind, unit_of(best[1]))
            if typed is not None:
                values[header.text] = typed.value
                self._cite((*one.path, header.text), value_cell, typed, best[1].label)
        if values:
            self.filling.put(one.path, values)

    def _cite(self, path: Path, cell: TextCell, typed: TypedValue, label: str = "") -> None:
        span = cell.start + typed.start, cell.start + typed.end
        self.filling.citations[path] = self._cited(span, (cell.start, cell.end), label)

    def _list(self, one: Field, node: ListNode) -> None:
        if isinstance(node.item, ObjectNode):
            self._records(one, node.item)
        elif isinstance(node.item, Leaf):
            names = label_terms(str(one.path[-1]))
            if "model" in names and len(names) == 1 and self.models:
                self._models(one)
            elif not self._bullets(one, node.item):
                self._split(one, node.item)

    def _records(self, one: Field, node: ObjectNode) -> None:
        attached = [grid for grid in self.grids if grid.attachment]
        printed = [grid for grid in self.grids if not grid.attachment]
        records, taken = read_records(node, one.name.own, attached, XML_CONVENTIONS, self.vocabulary)
        if not records:
            # Of what the tables have and what the positions of the text tell, the more.
            on_pages = page_tables(self.material, self.vocabulary)
            candidates = (self._titled(each, one.name.own) for each in (printed, on_pages))
            found = [read_records(node, one.name.own, each, self.form, self.vocabulary) for each in candidates]
            records, taken = max(found, key=lambda read: sum(len(record.values) for record in read[0]))
        if not records:
            return
        elements: list[dict[str, Any]] = []
        for number, record in enumerate(records):
            elements.append({key: typed.value for key, (typed, _) in record.values.items()})
            for key, (typed, cell) in record.values.items():
                self._cite((*one.path, number, key), cell, typed)
        self.filling.put(one.path, elements)
        rows = sum(len(grid.rows) - grid.header_rows for grid in taken)
        if len(elements) < rows:
            self.filling.notes.append(f"Field '{dotted(one.path)}': {len(elements)} of {rows} rows have its fields")

    def _titled(self, grids: Sequence[TextGrid], name: frozenset[str]) -> Sequence[TextGrid]:
        """Return tables without those that have titles, if those of others have a word of the list's name."""
        titles = {grid.start: label_terms(self._title(grid)) for grid in grids}
        is_named = any(terms & name for terms in titles.values())
        return [grid for grid in grids if not is_named or not (terms := titles[grid.start]) or terms & name]

    def _title(self, grid: TextGrid) -> str:
        """Return the line right above a table, if it has few words and is no row of a table."""
        text = self.material.document.text
        end = max(0, text.rfind("\n", 0, next((cells[0].start for cells in grid.rows if cells), grid.start)))
        while end and text[end - 1].isspace():
            end -= 1
        line = text[text.rfind("\n", 0, end) + 1 : end]
        return "" if line.startswith("|") or len(line.split()) > _MAX_TITLE_WORDS else line

    def _models(self, one: Field) -> None:
        headers = {cell.text: cell for table in self.models for cell in table.models.values()}
        self.filling.put(one.path, list(headers))
        for number, cell in enumerate(headers.values()):
            self._cite((*one.path, number), cell, TypedValue(cell.text, 0, len(cell.text)))

    def _bullets(self, one: Field, leaf: Leaf) -> bool:
        """Take the bulleted lines under a heading that names the field."""
        values: list[Any] = []
        for chunk in self.material.chunks:
            heading = chunk.heading_path[-1] if chunk.heading_path else ""
            words = label_terms(heading)
            named = any(name & words and name <= words | one.name.section for name in one.name.names)
            for match in _BULLET.finditer(chunk.text) if named else ():
                typed = typed_value(match["item"], leaf, frozenset(), self.form)
                if typed is not None:
                    start = chunk.start + match.start("item")
                    span = start + typed.start, start + typed.end
                    path = (*one.path, len(values))
                    self.filling.citations[path] = self._cited(span, span, heading)
                    values.append(typed.value)
        if values:
            self.filling.put(one.path, values)
        return bool(values)

    def _split(self, one: Field, leaf: Leaf) -> None:
        """Split the value of the best label at commas."""
        best = max(self._options(one, Leaf()), key=lambda option: option.score, default=None)
        if best is None:
            return
        values: list[Any] = []
        for match in _LIST_ITEM.finditer(best.candidate.value):
            item = match[0].strip()
            typed = typed_value(item, leaf, frozenset(), self.form) if item else None
            if typed is not None:
                start = best.candidate.start + match.start() + match[0].index(item)
                span = start + typed.start, start + typed.end
                path = (*one.path, len(values))
                self.filling.citations[path] = self._cited(span, span, best.candidate.label)
                values.append(typed.value)
        if values:
            self.filling.put(one.path, values)


def build() -> RulesEngine:
    """Return the engine."""
    return RulesEngine()


def _may_be(field: Field, candidate: Pair) -> bool:
    """Return True if a candidate may be of a field of one value: only a date is of a date."""
    is_date = isinstance(field.node, Leaf) and field.node.type is LeafType.DATE
    return not isinstance(field.node, ListNode) and (candidate.dates > 0 or not is_date)


def _plain(value: Any) -> Any:
    """Return a value to compare: one name may be printed in capitals, or with a comma and what it is behind it."""
    return plain_words(_APPOSITION.split(value)[0]) if isinstance(value, str) else value


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
