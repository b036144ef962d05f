"""A YAML mapping as text, from the events of PyYAML's parser: no object is made of what a file says."""

import json
import re
from collections.abc import Iterator

import yaml

MAX_DEPTH = 32
"""Nested collections. Front matter has two or three; libyaml takes quadratic time on thousands."""
MAX_REPEATED_CHARS = 65_536
"""Characters that aliases may repeat: as many as a page of front matter has. A bomb doubles them with every line."""

_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_PLAIN = re.compile(r"""[^\s\[\]{},"'#](?:[^\[\]{},"'\n#:]|:(?! |$)|(?<! )#)*(?<!\s)""")


def pairs(source: str) -> list[tuple[str, str]]:
    """The keys and values of a mapping, in order, values as text.

    A scalar is what it says (`2024-01-02`, `yes`), a collection its flow style (`[a, {b: c}]`).

    Raises:
        ValueError: It is no mapping, no YAML, nested deeper than `MAX_DEPTH`, or repeats too much by aliases.
    """
    try:
        return _Events(source).mapping()
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


class _Events:
    def __init__(self, source: str) -> None:
        self._events = yaml.parse(source, Loader=_LOADER)
        self._anchors: dict[str, tuple[str, bool]] = {}
        self._repeated = 0

    def mapping(self) -> list[tuple[str, str]]:
        """The pairs of the only document; none where there is no document."""
        pairs: list[tuple[str, str]] = []
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                if not isinstance(event, yaml.MappingStartEvent):
                    break
                pairs = [(key[0].strip(), value[0].strip()) for key, value in self._pairs(1)]
        else:
            return pairs
        raise ValueError("no mapping")

    def _pairs(self, depth: int) -> Iterator[tuple[tuple[str, bool], tuple[str, bool]]]:
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            yield self._node(event, depth), self._node(next(self._events), depth)

    def _node(self, event: yaml.Event, depth: int) -> tuple[str, bool]:
        """A node's text, and whether it is a collection."""
        if isinstance(event, yaml.AliasEvent):
            return self._repeat(event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            node = event.value, False
        else:
            node = self._collection(event, depth + 1), True
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _collection(self, event: yaml.Event, depth: int) -> str:
        if depth > MAX_DEPTH:
            raise ValueError("nested too deeply")
        if isinstance(event, yaml.SequenceStartEvent):
            return f"[{', '.join(map(_flow, self._sequence(depth)))}]"
        return f"{{{', '.join(f'{_flow(key)}: {_flow(value)}' for key, value in self._pairs(depth))}}}"

    def _sequence(self, depth: int) -> Iterator[tuple[str, bool]]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._node(event, depth)

    def _repeat(self, anchor: str) -> tuple[str, bool]:
        if anchor not in self._anchors:
            raise ValueError("an alias before its anchor ends")
        node = self._anchors[anchor]
        self._repeated += len(node[0])
        if self._repeated > MAX_REPEATED_CHARS:
            raise ValueError("aliases repeat too much")
        return node


def _flow(node: tuple[str, bool]) -> str:
    """A node within a collection: a scalar in quotes where it could be misread."""
    text, is_collection = node
    return text if is_collection or _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
