"""Corrections: a person's value of a field, verified like an engine's."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pincite.errors import InvalidInput
from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.model.extraction import Answer, Citation
from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, Path, PerModel, Schema, dotted
from pincite.services.extraction.extraction import material
from pincite.services.extraction.grounding import ground

CORRECTED = "corrected"
"""The verdict that comes with a value."""

_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Correction:
    """A value as a person has it.

    Attributes:
        path: The field.
        value: The value, as it was typed.
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
        InvalidInput: The schema has no such value.
    """
    leaf = _leaf(schema.root, correction.path)
    if leaf is None:
        raise InvalidInput(f"The schema has no value {dotted(correction.path)!r}.")
    value = _typed(correction.value, leaf)
    whole = deepcopy(dict(data))
    _put(whole, correction.path, value)
    prepared = material(document, call, revision)
    citation = _citation(correction, document.text, prepared.chunks)
    answer = Answer(whole, {} if citation is None else {correction.path: citation})
    grounded = ground(answer, schema, ClaimVerifier(prepared, call), call, strict=False, file_name=document.name)
    return _at(grounded.data, correction.path), _at(grounded.evidence, correction.path)


def _leaf(node: Node, path: Path) -> Leaf | None:
    for step in path:
        if isinstance(node, ObjectNode) and isinstance(step, str) and step in node.fields:
            node = node.fields[step]
        elif isinstance(node, ListNode) and isinstance(step, int):
            node = node.item
        elif isinstance(node, PerModel) and isinstance(step, str):
            node = node.value
        else:
            return None
    return node if isinstance(node, Leaf) else None


def _typed(text: str, leaf: Leaf) -> Any:
    if leaf.type is LeafType.BOOLEAN:
        return _BOOLEANS.get(text.strip().casefold(), text)
    if leaf.type in {LeafType.NUMBER, LeafType.INTEGER}:
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    return text


def _put(data: Any, path: Path, value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value


def has(tree: Any, path: Path) -> bool:
    """Return whether a tree of evidence has a record at a path."""
    try:
        return "status" in _at(tree, path)
    except (KeyError, IndexError, TypeError):
        return False


def _at(tree: Any, path: Path) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def _citation(correction: Correction, text: str, chunks: Sequence[Chunk]) -> Citation | None:
    """Return the picked place; of a value that was typed alone, the first line that has it."""
    span = correction.span
    if span is None:
        words = r"\s+".join(map(re.escape, correction.value.split()))
        found = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else None
        if found is None:
            return None
        end = text.find("\n", found.end())
        span = text.rfind("\n", 0, found.start()) + 1, end if end >= 0 else len(text)
    chunk = next((one for one in chunks if one.start < span[1] and one.end > span[0]), None)
    if chunk is None:
        return None
    return Citation(chunk.locator, text[max(span[0], chunk.start) : min(span[1], chunk.end)])
