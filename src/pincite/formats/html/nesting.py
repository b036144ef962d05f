"""Flatten deeply nested markup before it is parsed: a parser's time grows with the square of the depth."""

import re
from collections.abc import Iterator

from pincite.model.call import Call

MAX_DEPTH = 2000
"""Maximum depth of nested elements; browsers stop at 512."""

MIN_CHECKED_TAGS = 20_000
"""Number of tags above which nesting is checked: fewer take half a second at worst."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_RAW_ELEMENTS = frozenset(("svg", "script", "style", "textarea", "title", "math"))
_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _RAW_ELEMENTS}
# They cannot make the tree deep, and a page without their end tags must not count as deep.
_NOT_NESTING = frozenset((
    "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "colgroup", "col", "caption", "option",
    "optgroup", "a", "nobr", "h1", "h2", "h3", "h4", "h5", "h6", "html", "head", "body", "br", "hr", "img",
    "input", "meta", "link", "base", "area", "embed", "param", "source", "track", "wbr", "frame", "title",
    "script", "style", "textarea",
))  # fmt: skip
"""Elements that the next of their kind closes, or that contain no elements."""


def flattened(markup: str, call: Call) -> tuple[str, bool]:
    """Return the markup without the tags below `MAX_DEPTH`, and whether there were any."""
    # Counting takes microseconds, and nearly all pages end here.
    if markup.count("<") <= MIN_CHECKED_TAGS:
        return markup, False
    depth = 0
    for closing, _ in _tags(markup, call):
        depth += -1 if closing and depth else not closing
        if depth > MAX_DEPTH:
            return "".join(_without_deep_tags(markup, call)), True
    return markup, False


def _tags(markup: str, call: Call) -> Iterator[tuple[bool, re.Match[str]]]:
    number = position = 0
    unclosed: set[str] = set()
    while tag := _TAG.search(markup, position):
        number += 1
        if number % 1000 == 0:
            call.check()
        position = tag.end()
        name = tag[2].lower()
        if name in _RAW_ELEMENTS and name not in unclosed and not tag[1]:
            # Its content follows other rules: `<` may begin no tag.
            end = _ENDS[name].search(markup, position)
            if end:
                position = end.end()
            else:
                unclosed.add(name)
        elif name not in _NOT_NESTING:
            yield bool(tag[1]), tag


def _without_deep_tags(markup: str, call: Call) -> Iterator[str]:
    depth = position = 0
    for closing, tag in _tags(markup, call):
        depth += not closing
        if depth > MAX_DEPTH:
            # A space replaces the tag, to keep the words on its two sides apart.
            yield markup[position : tag.start()] + " "
            position = tag.end()
        depth -= closing and depth > 0
    yield markup[position:]
