"""Read what a model answers: data and evidence. Nothing of it is believed; it is only brought into form."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pincite.model.extraction import Citation
from pincite.model.schema import ListNode, Node, ObjectNode, Path, PerModel, Schema
from pincite.text.excerpt import well_formed

_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(?P<inside>.*)\n```\Z", re.DOTALL)
_DATA, _EVIDENCE = "data", "evidence"
_MAX_OBJECTS = 2
_SHOWN_CHARS = 80
"""Characters of a reply shown where it is no JSON: what a line of a log has room for."""


class MalformedAnswerError(ValueError):
    """An answer is not in the agreed form; the message says why, in words for the model."""


def read_answer(text: str, schema: Schema) -> tuple[Mapping[str, Any], Mapping[Path, Citation]]:
    """Return the data of an answer, and where it says that each value was found.

    Args:
        text: One object with `data` and `evidence`, or two objects in a row, bare or in one code fence.
        schema: The fields.

    Raises:
        MalformedAnswerError: It is anything else.
    """
    objects = _objects(_unfenced(text))
    data, evidence = _halves(objects)
    if not isinstance(data, Mapping) or not isinstance(evidence, Mapping):
        raise MalformedAnswerError("data and evidence must both be objects")
    values = cast("Mapping[str, Any]", data)
    if values and not any(key in schema.root.fields for key in values):
        known = ", ".join(list(schema.root.fields)[:10])
        raise MalformedAnswerError(f"data has none of the schema's keys ({known})")
    return values, dict(_citations(values, evidence, schema.root, (), None))


def _unfenced(text: str) -> str:
    stripped = text.strip()
    fenced = _FENCED.match(stripped)
    return fenced["inside"].strip() if fenced else stripped


def _objects(text: str) -> Sequence[Any]:
    if not text:
        raise MalformedAnswerError("it is empty")
    decoder = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)
    objects: list[Any] = []
    position = 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            shown = text[position : position + _SHOWN_CHARS].split("\n", 1)[0]
            raise MalformedAnswerError(f"it is not JSON alone ({error}) at {shown!r}") from None
        objects.append(well_formed(value))  # an answer that is cut within a character is still one
        if len(objects) > _MAX_OBJECTS:
            raise MalformedAnswerError("it has more than two objects")
        position += len(text[position:]) - len(text[position:].lstrip())
    return objects


def _finite(number: str) -> float:
    if not math.isfinite(value := float(number)):
        raise ValueError(f"{number[:_SHOWN_CHARS]} is no JSON")
    return value


def _halves(objects: Sequence[Any]) -> tuple[Any, Any]:
    """Return data and evidence; two objects in a row may each be wrapped in their name."""
    if not all(isinstance(item, Mapping) for item in objects):
        raise MalformedAnswerError("it is no object")
    mappings = cast("Sequence[Mapping[str, Any]]", objects)
    if len(mappings) == 1:
        if missing := [key for key in (_DATA, _EVIDENCE) if key not in mappings[0]]:
            raise MalformedAnswerError(f"its object has no {' and no '.join(missing)}")
        return mappings[0][_DATA], mappings[0][_EVIDENCE]
    if set(mappings[0]) == {_DATA} and set(mappings[1]) == {_EVIDENCE}:
        return mappings[0][_DATA], mappings[1][_EVIDENCE]
    return mappings[0], mappings[1]


def _citations(
    value: Any, tree: Any, node: Node, path: Path, above: Citation | None
) -> Iterator[tuple[Path, Citation]]:
    """Yield the citation of each value; the citation of a whole list or object holds for all in it."""
    if value is None:
        return
    if isinstance(value, Mapping) and isinstance(node, ObjectNode | PerModel):
        values = cast("Mapping[str, Any]", value)
        # Not where the fields themselves are called so.
        own = (_record(tree) if not {"locator", "snippet"} & set(values) else None) or above
        for key, item in values.items():
            child = node.fields.get(key) if isinstance(node, ObjectNode) else node.value
            if child is not None:
                yield from _citations(item, _at(tree, key), child, (*path, key), own)
    elif isinstance(value, list) and isinstance(node, ListNode):
        own = _record(tree) or above
        inner = _at(tree, "items") or tree
        for number, item in enumerate(cast("list[Any]", value)):
            yield from _citations(item, _element(inner, number), node.item, (*path, number), own)
    elif citation := _record(tree) or above:
        yield path, citation


def _at(tree: Any, key: str) -> Any:
    return cast("Mapping[str, Any]", tree).get(key) if isinstance(tree, Mapping) else None


def _element(tree: Any, number: int) -> Any:
    items = cast("list[Any]", tree) if isinstance(tree, list) else []
    return items[number] if number < len(items) else None


def _record(tree: Any) -> Citation | None:
    """Return the citation that a record of evidence is; None if it is something else."""
    locator, snippet = _at(tree, "locator"), _at(tree, "snippet")
    label = _at(tree, "label")
    if not isinstance(locator, str) or not isinstance(snippet, str):
        return None
    return Citation(locator, snippet, label if isinstance(label, str) else "")
