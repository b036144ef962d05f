"""Corrections: what a person says of a result. A value of theirs is verified like an engine's."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, cast

from pincite.agents.rules.typing import typed_value
from pincite.errors import InvalidInput
from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.model.extraction import Answer, Citation, EvidenceStatus
from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, Path, PerModel, Schema, dotted
from pincite.services.extraction.extraction import material
from pincite.services.extraction.grounding import ground
from pincite.text.excerpt import excerpt
from pincite.text.terms.label_index import collect
from pincite.text.terms.vocabulary import Vocabulary
from pincite.text.values.tokens import Conventions, conventions

Verdict = Literal["accepted", "rejected", "corrected", "added", "removed"]
"""The verdict on a value or, the last two, on an item of a list."""
ACCEPTED, CORRECTED, ADDED, REMOVED, REJECTED = "accepted", "corrected", "added", "removed", "rejected"

MAX_ITEMS = 10_000
"""Of a list, with those that were added."""
_BETWEEN_ITEMS = re.compile(r"\s*[;\n]\s*")

_EXPECTED = {
    LeafType.NUMBER: "a number, as 1234.5",
    LeafType.INTEGER: "a whole number, as 12",
    LeafType.BOOLEAN: "yes or no",
    LeafType.QUANTITY: "a number with its unit, as 230 V",
    LeafType.DATE: "a date, as 2026-03-31",
}
"""The types that a text is checked for, as messages name them."""
_JSON_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Correction:
    """A value as a person has it.

    Attributes:
        path: The field, or the item of a list.
        value: The value, as it was typed; values of a list are separated by `;`. Empty for an item.
        span: Where it was picked in the document's text; None if it was typed alone.
    """

    path: Path
    value: str
    span: tuple[int, int] | None = None


def checked(
    correction: Correction, data: Mapping[str, Any], document: Document, schema: Schema, revision: str, call: Call
) -> tuple[Any, Any]:
    """Return the value of a correction in its field's type, and its evidence: verified only if the document says it.

    Args:
        correction: The correction.
        data: The values as they were extracted.
        document: The document as read.
        schema: The fields.
        revision: The document's revision in references.
        call: Checked for cancellation.

    Raises:
        InvalidInput: The schema has no such value, or it is of another type.
    """
    node = _node(schema.root, correction.path)
    value = _typed(correction, node, conventions(document.text))
    whole = deepcopy(dict(data))
    _put(whole, correction.path, value)
    prepared = material(document, call, revision)
    texts: Mapping[Path, Any] = {correction.path: correction.value}
    if isinstance(value, list):
        texts = {(*correction.path, at): item for at, item in enumerate(cast("list[Any]", value))}
    cited = {
        path: _citation(str(text), correction.span, document.text, prepared.chunks) for path, text in texts.items()
    }
    answer = Answer(whole, {path: citation for path, citation in cited.items() if citation is not None})
    verifier = ClaimVerifier(prepared, call)
    grounded = ground(answer, schema, verifier, call, strict=False, file_name=document.name, is_typed=True)
    return _at(grounded.data, correction.path), _at(grounded.evidence, correction.path)


def value_at(document: Document, schema: Schema, span: tuple[int, int], share: float, call: Call) -> str:
    """Return the value alone of the `label value` in a line that is nearest to a position; empty without one.

    Args:
        document: The document as read.
        schema: The fields, whose names tell what a label may be.
        span: The line in the document's text.
        share: The position in the line, from 0 to 1.
        call: Checked for cancellation.
    """
    start, end = span
    position = start + share * (end - start)
    prepared = material(document, call)
    near = tuple(chunk for chunk in prepared.chunks if chunk.start < end and chunk.end > start)
    pairs = collect(replace(prepared, chunks=near), (), Vocabulary.of(schema.root), call).pairs
    of_line = [pair for pair in pairs if start <= pair.quote_start < pair.start and pair.end <= end]
    nearest = min(
        of_line, key=lambda pair: (max(pair.quote_start - position, position - pair.end, 0), pair.source), default=None
    )
    return nearest.value if nearest else ""


def with_added(result: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return data and evidence of a result with the items that were added; None where one was taken back."""
    data, evidence = deepcopy(result["data"]), deepcopy(result["evidence"])
    for correction in result.get("corrections", {}).values():
        if correction["verdict"] == ADDED:
            _put(data, correction["path"], correction["value"])
            _put(evidence, correction["path"], correction["evidence"])
    return data, evidence


def check_path(path: Path, verdict: Verdict, evidence: Any) -> None:
    """Check that a path can have a verdict.

    Args:
        path: The path.
        verdict: The verdict.
        evidence: See `with_added`.

    Raises:
        InvalidInput: The result has no such value or item.
    """
    *above, last = path
    try:
        node: Any = _at(evidence, above if verdict == ADDED else path)
        if verdict == ADDED:
            count = len(cast("list[Any]", node)) if isinstance(node, list) else 0
            fits = last == count < MAX_ITEMS
        elif verdict == REMOVED:
            fits = isinstance(last, int) and isinstance(node, Mapping)
        else:
            fits = "status" in node
    except (KeyError, IndexError, TypeError):
        fits = False
    if not fits:
        raise InvalidInput(f"The result has no {dotted(path)!r} that could be {verdict}: open it again.")


def corrected(result: Mapping[str, Any], *, known_only: bool = False) -> tuple[Any, Any]:
    """Return data and evidence of a result as people have them.

    Args:
        result: With its corrections.
        known_only: Without the values that were not found and that nobody looked at.
    """
    verdicts: Mapping[str, Mapping[str, Any]] = result.get("corrections", {})

    def walk(value: Any, tree: Any, path: Path) -> tuple[Any, Any]:
        if isinstance(tree, list):
            nodes = {(*path, at): item for at, item in enumerate(cast("list[Any]", tree)) if item is not None}
            kept = {at: node for at, node in nodes.items() if verdicts.get(dotted(at), {}).get("verdict") != REMOVED}
            pairs = [walk(value[at[-1]], node, at) for at, node in kept.items()]
            return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if not isinstance(tree, Mapping):
            return value, tree
        node, values = cast("Mapping[str, Any]", tree), cast("Mapping[str, Any]", value or {})
        if "status" not in node:
            inner = {key: walk(values.get(key), child, (*path, key)) for key, child in node.items()}
            inner = {key: pair for key, pair in inner.items() if not known_only or pair[1] is not None}
            return {key: pair[0] for key, pair in inner.items()}, {key: pair[1] for key, pair in inner.items()}
        value, node = _as_said(value, node, verdicts.get(dotted(path)))
        is_unknown = node["status"] == EvidenceStatus.ABSENT and dotted(path) not in verdicts
        return value, None if known_only and is_unknown else node

    return walk(*with_added(result), ())


def _as_said(value: Any, record: Mapping[str, Any], given: Mapping[str, Any] | None) -> tuple[Any, Mapping[str, Any]]:
    if given and given["verdict"] == CORRECTED:
        return given["value"], given["evidence"]
    if given and given["verdict"] == REJECTED:
        return None, {**record, "status": EvidenceStatus.ABSENT, "verified": False}
    return value, record


def _node(node: Node, path: Path) -> Node:
    """Return what a person may have a value for: a leaf, a list of leaves, an object of a list."""
    for step in path:
        if isinstance(node, ObjectNode) and isinstance(step, str) and step in node.fields:
            node = node.fields[step]
        elif isinstance(node, ListNode) and isinstance(step, int):
            node = node.item
        elif isinstance(node, PerModel) and isinstance(step, str):
            node = node.value
        else:
            raise InvalidInput(f"The schema has no value {dotted(path)!r}.")
    inner = node.item if isinstance(node, ListNode) else node
    if isinstance(inner, Leaf) or (isinstance(node, ObjectNode) and isinstance(path[-1], int)):
        return node
    raise InvalidInput(f"The schema has no value {dotted(path)!r}.")


def _typed(correction: Correction, node: Node, form: Conventions) -> Any:
    if isinstance(node, ListNode):
        parts = [replace(correction, value=part) for part in _BETWEEN_ITEMS.split(correction.value) if part]
        return [_typed(part, node.item, form) for part in parts]
    return _of_type(correction, node, form) if isinstance(node, Leaf) else {}


def _of_type(correction: Correction, leaf: Leaf, form: Conventions) -> Any:
    """Return a text as an engine reads it for a field, in the document's way to write numbers and dates."""
    text = correction.value.strip()
    if leaf.choices:
        chosen = [choice for choice in leaf.choices if str(choice).casefold() == text.casefold()]
        if chosen:
            return chosen[0]
    elif leaf.type not in _EXPECTED:
        return correction.value
    elif (typed := typed_value(text, leaf, frozenset(), form)) is not None:
        return typed.value
    elif leaf.type is LeafType.NUMBER and _JSON_NUMBER.fullmatch(text):
        return float(text)  # 1.234 where the document leaves open what it means
    expected = "one of " + ", ".join(map(str, leaf.choices)) if leaf.choices else _EXPECTED[leaf.type]
    raise InvalidInput(f"{dotted(correction.path)} takes {expected}: \u201c{excerpt(text)}\u201d is none.")


def _put(tree: Any, path: Path, value: Any) -> None:
    """Put a value at a path; a list becomes as long as that takes."""
    node = tree
    for step, inner in pairwise(path):
        if isinstance(inner, int) and not isinstance(node[step], list):
            node[step] = []
        node = node[step]
    if isinstance(path[-1], int):
        node += [None] * (path[-1] + 1 - len(node))
    node[path[-1]] = value


def _at(tree: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def _citation(value: str, span: tuple[int, int] | None, text: str, chunks: Sequence[Chunk]) -> Citation | None:
    """Return the selected passage; for a value that was only typed, the first line that has it."""
    if span is None:
        words = r"\s+".join(map(re.escape, value.split()))
        match = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else None
        if match is None:
            return None
        end = text.find("\n", match.end())
        span = text.rfind("\n", 0, match.start()) + 1, end if end >= 0 else len(text)
    chunk = next((candidate for candidate in chunks if candidate.start < span[1] and candidate.end > span[0]), None)
    if chunk is None:
        return None
    return Citation(chunk.locator, text[max(span[0], chunk.start) : min(span[1], chunk.end)])
