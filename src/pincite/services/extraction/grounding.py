"""Ground an engine's answer: verify every value, and return data with a mirrored tree of evidence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pincite.evidence.claims import Claim, ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import NOT_FOUND, Answer, Citation, Evidence, EvidenceStatus
from pincite.model.schema import (
    ORIGINAL_FILE,
    Leaf,
    LeafType,
    ListNode,
    Node,
    ObjectNode,
    Path,
    PerModel,
    Schema,
    dotted,
    empty,
    fields_of,
    leaves_of,
)
from pincite.services.citations.page_boxes import line_boxes
from pincite.services.extraction.periods import answered_years, period_of
from pincite.text.terms.vocabulary import Vocabulary
from pincite.text.values.formatting import normalize_text
from pincite.text.values.tokens import read_tokens

FILE_RULE = "upload file name"
"""The rule of `original_file`, as the contract words it."""
_NO_CITATION = "the engine cited no place for it"
_OTHER_ROW = "it is in another row than the rest of its record"


@dataclass(frozen=True, slots=True)
class Grounded:
    """Data in a schema's shape, and the evidence of each leaf at the mirrored place."""

    data: dict[str, Any]
    evidence: dict[str, Any]
    warnings: list[str]


def ground(
    answer: Answer, schema: Schema, verifier: ClaimVerifier, call: Call, *, strict: bool = True,
    min_confidence: float = 0.0, file_name: str = "", is_typed: bool = False,
) -> Grounded:  # fmt: skip
    """Verify an engine's answer.

    Args:
        answer: The answer.
        schema: The fields.
        verifier: The document's verifier.
        call: Checked for cancellation.
        strict: Whether a value that is not grounded becomes null and a candidate; else it stays, as `ungrounded`,
            if the document has the text that it is cited from.
        min_confidence: A value of less confidence becomes null and a candidate, too.
        file_name: The value of a top-level field `original_file`.
        is_typed: Whether a person typed the values: they stay whatever the document has.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    years = answered_years(answer.data, answer.citations, verifier, call)
    nodes = dict(leaves_of(schema.root, ()))
    fields = {path: _field(path, node) for path, node in nodes.items()}
    dates = frozenset(path for path, node in nodes.items() if node.type is LeafType.DATE)
    vocabulary = Vocabulary.of(schema.root)
    alone = {path for path, node in fields_of(schema.root, ()) if not isinstance(node, ListNode)}
    elements = frozenset(path for path in fields if path not in alone)
    grounding = _Grounding(
        answer.citations, verifier, call, strict, file_name, years, fields, vocabulary, elements, dates,
        min_confidence, is_typed,
    )  # fmt: skip
    data, evidence = grounding.node(answer.data, schema.root, (), "")
    return Grounded(data, evidence, [*grounding.warnings, *answer.notes])


@dataclass(slots=True)
class _Grounding:
    citations: Mapping[Path, Citation]
    verifier: ClaimVerifier
    call: Call
    strict: bool
    file_name: str
    years: Mapping[Path, frozenset[str]]
    fields: Mapping[Path, str]
    vocabulary: Vocabulary
    elements: frozenset[Path]
    dates: frozenset[Path]
    min_confidence: float
    is_typed: bool
    warnings: list[str] = field(default_factory=list[str])

    def node(self, value: Any, node: Node, path: Path, model: str) -> tuple[Any, Any]:
        """Return a node's data and evidence."""
        if isinstance(node, ObjectNode):
            given: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
            pairs = {key: self.node(given.get(key), child, (*path, key), model) for key, child in node.fields.items()}
            return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
        if path == (ORIGINAL_FILE,):
            return self._original_file()
        if isinstance(node, ListNode):
            return self._list(value, node, path, model)
        if isinstance(node, PerModel):
            return self._per_model(value, node, path)
        kept, evidence = self._leaf(value, node, path, model)
        self._note_absent(path, evidence)
        return kept, record(evidence)

    def _note_absent(self, path: Path, evidence: Evidence) -> None:
        """Say that a field was not found, unless a value of it was refused, which has its own reason."""
        if evidence.status is EvidenceStatus.ABSENT:
            self.warnings.append(f"Field '{dotted(path)}' not found in document")

    def _original_file(self) -> tuple[Any, Any]:
        evidence = Evidence(EvidenceStatus.DERIVED, rule=FILE_RULE, normalized=self.file_name, confidence=1.0)
        return self.file_name, record(evidence)

    def _leaf(self, value: Any, node: Leaf, path: Path, model: str) -> tuple[Any, Evidence]:
        if value is None or isinstance(value, Mapping | list):
            return None, Evidence(EvidenceStatus.ABSENT)
        self.call.check()
        citation = self.citations.get(path)
        if citation is None:
            reason = {"value": value, "locator": None, "snippet": None, "reason": _NO_CITATION}
            evidence = Evidence(EvidenceStatus.UNGROUNDED, candidates=(reason,))
        else:
            evidence = self.verifier.verify(self._claim(value, citation, path, node, model), self.call)
        return self._kept(value, evidence, path)

    def _claim(self, value: Any, citation: Citation, path: Path, node: Leaf, model: str) -> Claim:
        period = period_of(path, node, self.years)
        is_element = any(isinstance(step, int) for step in path)
        keys = tuple(step for step in path if isinstance(step, str))[: -1 if model else None]
        # An element has the label of its column or of its whole list; no other value has an element's label.
        fields = () if isinstance(path[-1], int) else self.fields.items()
        is_day = node.type is LeafType.DATE or any(token.days for token in read_tokens(str(value)))
        rivals = [
            field
            for key, field in fields
            if key != keys
            and (is_day or key not in self.dates)
            and (key[:-1] == keys[:-1] if is_element else key not in self.elements)
        ]
        return Claim(
            value, citation, _field(keys, node), model, value in node.choices, period, rivals,
            " ".join(keys[:-1]).replace("_", " "), self.vocabulary, is_element, node.type is LeafType.DATE,
        )  # fmt: skip

    def _kept(self, value: Any, evidence: Evidence, path: Path) -> tuple[Any, Evidence]:
        """Return a value as it goes out: normalised if grounded, null or marked if not."""
        plain = normalize_text(value) if isinstance(value, str) else value
        is_enough = evidence.confidence >= self.min_confidence
        if evidence.status.is_grounded and is_enough:
            return plain, replace(evidence, normalized=plain)
        if evidence.status.is_grounded:
            reason = f"its confidence is {evidence.confidence:g}, below {self.min_confidence:g}"
            doubted = {"value": plain, "locator": evidence.locator, "snippet": evidence.snippet, "reason": reason}
            evidence = replace(evidence, status=EvidenceStatus.UNGROUNDED, candidates=(doubted,))
        self.warnings.append(f"Field '{dotted(path)}': refused {str(value)[:60]!r}: {evidence.candidates[0]['reason']}")
        if self.strict or not is_enough or (evidence.locator is None and not self.is_typed):
            return None, Evidence(evidence.status, candidates=evidence.candidates, confidence=evidence.confidence)
        return plain, replace(evidence, status=EvidenceStatus.UNGROUNDED, normalized=plain, candidates=())

    def _list(self, value: Any, node: ListNode, path: Path, model: str) -> tuple[Any, Any]:
        items: Sequence[Any] = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()
        if isinstance(node.item, Leaf):
            return self._plain_list(items, node.item, path, model)
        data: list[Any] = []
        evidence: list[Any] = []
        for number, item in enumerate(items):
            kept, tree = self.node(item, node.item, (*path, number), model)
            self._same_row(kept, tree, (*path, number))
            data.append(kept)
            evidence.append(tree)
        if not data:
            self.warnings.append(f"Field '{dotted(path)}' not found in document")
            return [], record(Evidence(EvidenceStatus.ABSENT))
        return data, evidence

    def _same_row(self, data: Any, tree: Any, path: Path) -> None:
        """Refuse the leaves of a record that are in another row of its table than most of its citations.

        Of two rows with as many neither is the record's. A column may be a record, too.
        """
        if not isinstance(data, dict) or not isinstance(tree, dict):
            return
        values, leaves = cast("dict[str, Any]", data), cast("dict[str, dict[str, Any]]", tree)
        cells = {key: leaf for key, leaf in leaves.items() if values.get(key) is not None}
        citations = {key: citation for key in leaves if (citation := self.citations.get((*path, key)))}
        cited = {key: self.verifier.row_of(citation, self.vocabulary, self.call) for key, citation in citations.items()}
        rows = Counter((row[0].start, row[1]) for row in cited.values() if row is not None)
        if len(rows) <= 1 or _in_one_column(cells.values()):
            return
        (table, row), most = rows.most_common(1)[0]
        is_open = sum(count == most for count in rows.values()) > 1
        for key, leaf in cells.items():
            place = cited.get(key)
            if place is None or place[0].start != table:
                continue
            cell = place[0].covering(row, leaf["column"]) if leaf["column"] is not None else None
            if not is_open and (place[1] == row or (cell is not None and cell.row == leaf["row"])):
                continue
            candidate = {
                "value": values[key], "locator": leaf["locator"], "snippet": leaf["snippet"], "reason": _OTHER_ROW
            }  # fmt: skip
            self.warnings.append(f"Field '{dotted((*path, key))}': refused: {_OTHER_ROW}")
            if self.strict:
                values[key] = empty(Leaf())
                leaves[key] = record(Evidence(EvidenceStatus.CONFLICT, candidates=(candidate,)))
            else:
                leaves[key] = {
                    **leaf,
                    "status": EvidenceStatus.UNGROUNDED.value,
                    "verified": False,
                    "warning": _OTHER_ROW,
                }

    def _plain_list(self, items: Sequence[Any], node: Leaf, path: Path, model: str) -> tuple[Any, Any]:
        """Return a list of plain values with one record of evidence, from the passage with most of them."""
        kept: list[Any] = []
        proofs: list[Evidence] = []
        refused: list[Mapping[str, Any]] = []
        for number, item in enumerate(items):
            shared = self.citations.get((*path, number)) or self.citations.get(path)
            claim = self._claim(item, shared or Citation("", ""), (*path, number), node, model)
            value, evidence = self._kept(item, self.verifier.verify(claim, self.call), (*path, number))
            if value is None:
                refused += evidence.candidates
            else:
                kept.append(value)
                proofs.append(evidence)
        if not kept:
            none = Evidence(EvidenceStatus.UNGROUNDED if refused else EvidenceStatus.ABSENT, candidates=tuple(refused))
            self._note_absent(path, none)
            return [], record(none)
        locator = Counter(evidence.locator for evidence in proofs).most_common(1)[0][0]
        main = next(evidence for evidence in proofs if evidence.locator == locator)
        whole = replace(main, normalized=kept, status=_worst(proofs), candidates=tuple(refused))
        return kept, {**record(whole), "items": [record(evidence) for evidence in proofs]}

    def _per_model(self, value: Any, node: PerModel, path: Path) -> tuple[Any, Any]:
        if not isinstance(value, Mapping) or not value:
            if value is not None and not isinstance(value, Mapping) and isinstance(node.value, Leaf):
                kept, evidence = self._leaf(value, node.value, path, "")
                return kept, record(evidence)
            self.warnings.append(f"Field '{dotted(path)}' not found in document")
            return None, record(Evidence(EvidenceStatus.ABSENT))
        given = cast("Mapping[str, Any]", value)
        pairs = {key: self.node(item, node.value, (*path, key), str(key)) for key, item in given.items()}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}


def _in_one_column(leaves: Iterable[Mapping[str, Any]]) -> bool:
    columns = [(leaf["locator"], leaf["column"]) for leaf in leaves if leaf["column"] is not None]
    return len(set(columns)) == 1 < len(columns)


def record(evidence: Evidence) -> dict[str, Any]:
    """Return the evidence record of the contract."""
    grounded = evidence.status.is_grounded
    fields: dict[str, Any] = {"locator": evidence.locator, "snippet": evidence.snippet}
    fields |= {"status": evidence.status.value, "verified": grounded}
    if evidence.normalized is not None:
        fields["confidence"] = evidence.confidence
    if evidence.normalized is None:
        fields["warning"] = NOT_FOUND
    elif evidence.warning:
        fields["warning"] = evidence.warning
    if evidence.rule:
        fields["rule"] = evidence.rule
    if evidence.ocr:
        fields["ocr"] = evidence.ocr
    if evidence.ref:
        fields["ref"] = evidence.ref
    if evidence.chunk_hash is not None:
        boxes = line_boxes(evidence.placed)
        fields |= {
            "page": boxes[0].page if boxes else evidence.page,
            "boxes": [box.model_dump() for box in boxes],
            "char_start": evidence.start,
            "char_end": evidence.end,
            "chunk_hash": evidence.chunk_hash,
            "row": evidence.row,
            "column": evidence.column,
            "label": evidence.label,
            "raw": evidence.raw,
            "normalized": evidence.normalized,
            "occurrences": evidence.occurrences,
        }
    if evidence.candidates:
        fields["candidates"] = [dict(candidate) for candidate in evidence.candidates]
    return fields


def _field(path: Path, node: Leaf) -> str:
    """Return a field's name for the label check: its own key first, then its description."""
    names = [str(step).removesuffix("_per_model").replace("_", " ") for step in path if isinstance(step, str)]
    return f"{names[-1]}: {node.description}" if names else node.description


def _worst(items: Sequence[Evidence]) -> EvidenceStatus:
    order = (EvidenceStatus.UNGROUNDED, EvidenceStatus.DERIVED)
    return next((status for status in order if any(item.status is status for item in items)), EvidenceStatus.VERIFIED)
