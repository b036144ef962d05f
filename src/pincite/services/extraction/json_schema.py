"""Read a JSON Schema (2020-12) into the internal form."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

from pincite.errors import InvalidInput
from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, Path, PerModel, Schema, dotted
from pincite.services.extraction.bounds import Budget

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_VARIANTS = ("anyOf", "oneOf")
_ROOT_KEYWORDS = frozenset(
    (  # noqa: SIM905
        "type title description required properties additionalProperties patternProperties propertyNames items "
        "examples allOf anyOf oneOf not if then else definitions dependentRequired dependentSchemas minItems "
        "maxItems prefixItems unevaluatedProperties minProperties maxProperties default deprecated readOnly writeOnly"
    ).split(" ")
)
"""Keys of an object that is a JSON Schema, beside those with a dollar; any other is a field's name."""
_NODE_KEYWORDS = ("type", "properties", "items", "prefixItems", "enum", "const", "additionalProperties")
_LEAF_TYPES = {
    frozenset({"string"}): LeafType.STRING,
    frozenset({"number"}): LeafType.NUMBER,
    frozenset({"integer"}): LeafType.INTEGER,
    frozenset({"integer", "number"}): LeafType.NUMBER,
    frozenset({"boolean"}): LeafType.BOOLEAN,
}
_DATE_FORMATS = ("date", "date-time")

Fragment = Mapping[str, Any]
References = frozenset[str]


def is_json_schema(schema: Mapping[str, Any]) -> bool:
    """Return True if an object is a JSON Schema, not a skeleton that happens to have a field of such a name."""
    if isinstance(schema.get("$schema"), str):
        return True
    if isinstance(schema.get("$ref"), str) and isinstance(schema.get("$defs", schema.get("definitions")), Mapping):
        return True
    types = schema.get("type")
    named = cast("list[Any]", types) if isinstance(types, list) else [types]
    is_bare = all(key in _ROOT_KEYWORDS or key.startswith("$") for key in schema)
    described = (isinstance(schema.get(key), Mapping) for key in ("properties", "additionalProperties"))
    if ("object" in named and (is_bare or any(described))) or ("array" in named and is_bare):
        return True
    variants = [part for key in ("allOf", *_VARIANTS) for part in _list_of(schema.get(key))]
    if is_bare and types is None and any(map(_is_fragment, variants)):
        return True
    properties = schema.get("properties")
    return (
        types is None
        and isinstance(properties, Mapping)
        and len(cast("Mapping[Any, Any]", properties)) > 0
        and all(_is_fragment(value) for value in cast("Mapping[Any, Any]", properties).values())
    )


def _is_fragment(value: Any) -> bool:
    keywords = (*_NODE_KEYWORDS, *_VARIANTS, *_REFERENCES, "allOf")
    return isinstance(value, Mapping) and any(keyword in value for keyword in keywords)


def read_json_schema(schema: Mapping[str, Any]) -> Schema:
    """Return the internal form of a JSON Schema.

    Raises:
        InvalidInput: Its root is no object, it is too large, or a reference leaves it or leads back to itself.
    """
    _refuse_remote(schema)
    root = _Reader(schema).node(schema, (), frozenset())
    if not isinstance(root, ObjectNode):
        raise InvalidInput(
            'The root of the schema must be an object with "properties". Put a list or a value into a field of it.'
        )
    if not root.fields:
        raise InvalidInput('The schema is empty. Name at least one field in its "properties".')
    return Schema(root, schema)


def _refuse_remote(schema: Any) -> None:
    """Refuse references to other documents anywhere: nothing is ever fetched for a schema."""
    waiting = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            fragment = cast("Mapping[str, Any]", value)
            for keyword in _REFERENCES:
                target = fragment.get(keyword)
                if isinstance(target, str) and not target.startswith("#"):
                    raise InvalidInput(
                        f"The schema refers to {target[:200]!r}, which is not in it. Copy that part into "
                        '"$defs" and refer to it as "#/$defs/name".'
                    )
            waiting.extend(fragment.values())
        elif isinstance(value, list):
            waiting.extend(cast("list[Any]", value))


class _Reader:
    def __init__(self, schema: Fragment) -> None:
        self.schema = schema
        self.budget = Budget()

    def node(self, fragment: Any, path: Path, above: References) -> Node:
        """Return the node of a part of the schema; `above` are the references that led to it."""
        self.budget.spend(path)
        if isinstance(fragment, bool):
            return Leaf()
        if not isinstance(fragment, Mapping):
            raise InvalidInput(f"Field {dotted(path)!r} of the schema is no object but {str(fragment)[:60]!r}.")
        merged, above = self._merged(cast("Fragment", fragment), path, above)
        types = _types(merged)
        description = _description(merged)
        if isinstance(merged.get("properties"), Mapping):
            return self._object(merged, path, above, description)
        if "object" in types or (not types and isinstance(merged.get("additionalProperties"), Mapping)):
            return self._dictionary(merged, path, above, description)
        if "array" in types or "items" in merged or "prefixItems" in merged:
            return ListNode(self.node(_item(merged), (*path, 0), above), description)
        return _leaf(merged, types, description)

    def _object(self, merged: Fragment, path: Path, above: References, description: str) -> ObjectNode:
        fields = cast("Mapping[str, Any]", merged["properties"])
        return ObjectNode({key: self.node(value, (*path, key), above) for key, value in fields.items()}, description)

    def _dictionary(self, merged: Fragment, path: Path, above: References, description: str) -> Node:
        values = merged.get("additionalProperties")
        if values is None or values is False:
            return ObjectNode({}, description)
        return PerModel(self.node(values, (*path, "<model>"), above), description)

    def _merged(self, fragment: Fragment, path: Path, above: References) -> tuple[dict[str, Any], References]:
        """Return a part with its references, `allOf` and variants resolved, and all references that led to it."""
        self.budget.expand(fragment, path)
        result = dict(fragment)
        followed = above
        for keyword in _REFERENCES:
            target = result.pop(keyword, None)
            if isinstance(target, str):
                if target in above:
                    raise InvalidInput(
                        f"The schema refers back to itself at {dotted(path)!r} ({target[:200]}). "
                        "Write out the levels that you need."
                    )
                inner, more = self._merged(self._target(target, path), path, above | {target})
                result, followed = self._joined(inner, result, path), followed | more
        for part in _list_of(result.pop("allOf", None)):
            inner, more = self._merged(part, path, above)
            result, followed = self._joined(result, inner, path), followed | more
        for keyword in _VARIANTS:
            variants = [self._merged(part, path, above) for part in _list_of(result.pop(keyword, None))]
            if variants:
                result = self._joined(_chosen([variant for variant, _ in variants]), result, path)
                followed = followed.union(*(more for _, more in variants))
        return result, followed

    def _joined(self, first: Fragment, second: Fragment, path: Path) -> dict[str, Any]:
        """Return two parts as one: the second's keywords win, properties are united."""
        joined = {**first, **second}
        both = (first.get("properties"), second.get("properties"))
        if all(isinstance(properties, Mapping) for properties in both):
            joined["properties"] = {**cast("Fragment", both[0]), **cast("Fragment", both[1])}
        self.budget.expand(joined, path)
        return joined

    def _target(self, reference: str, path: Path) -> Fragment:
        fragment: Any = self.schema
        for step in filter(None, unquote(reference[1:]).split("/")):
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(fragment, list) and key.isdigit() and int(key) < len(cast("list[Any]", fragment)):
                fragment = cast("list[Any]", fragment)[int(key)]
            elif isinstance(fragment, Mapping) and key in fragment:
                fragment = cast("Fragment", fragment)[key]
            else:
                raise InvalidInput(f"The schema has no {reference[:200]!r}, to which {dotted(path)!r} refers.")
        if not isinstance(fragment, Mapping):
            raise InvalidInput(f"The schema has no object at {reference[:200]!r}, to which {dotted(path)!r} refers.")
        return cast("Fragment", fragment)


def _list_of(value: Any) -> list[Fragment]:
    return [part for part in cast("list[Any]", value) if isinstance(part, Mapping)] if isinstance(value, list) else []


def _chosen(variants: Sequence[Fragment]) -> Fragment:
    """Return what a field may be, of several variants: the first object or list, else all plain types together."""
    stating = (variant for variant in variants if any(keyword in variant for keyword in _NODE_KEYWORDS))
    real = [variant for variant in stating if variant.get("type") != "null"]
    for variant in real:
        if "properties" in variant or "items" in variant or {"object", "array"} & _types(variant):
            return variant
    if len(real) <= 1:
        return real[0] if real else {}
    types = sorted({name for variant in real for name in _types(variant)})
    chosen: dict[str, Any] = {"type": types} if all(_types(variant) for variant in real) else {}
    choices = [_choices(variant) for variant in real]
    if all(choices):
        chosen["enum"] = [choice for some in choices for choice in some]
    described = next((text for text in map(_description, real) if text), "")
    return {**chosen, "description": described} if described else chosen


def _types(fragment: Fragment) -> frozenset[str]:
    """Return the types that a part states, without `null`: null is what every absent value is."""
    stated = fragment.get("type")
    names = cast("list[Any]", stated) if isinstance(stated, list) else [stated]
    return frozenset(name for name in names if isinstance(name, str) and name != "null")


def _description(fragment: Fragment) -> str:
    parts = (fragment.get(key) for key in ("title", "description"))
    return ". ".join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def _item(fragment: Fragment) -> Any:
    first = _list_of(fragment.get("prefixItems"))
    items = fragment.get("items", first[0] if first else True)
    return True if items is False else items


def _choices(fragment: Fragment) -> tuple[Any, ...]:
    if "const" in fragment:
        return (fragment["const"],)
    stated = fragment.get("enum")
    return tuple(value for value in cast("list[Any]", stated) if value is not None) if isinstance(stated, list) else ()


def _leaf(fragment: Fragment, types: frozenset[str], description: str) -> Leaf:
    form = fragment.get("format")
    stated = form if isinstance(form, str) else ""
    kind = _LEAF_TYPES.get(types, LeafType.ANY)
    if kind is LeafType.STRING and stated in _DATE_FORMATS:
        kind = LeafType.DATE
    return Leaf(kind, description, _choices(fragment), stated, is_typed=bool(types))
