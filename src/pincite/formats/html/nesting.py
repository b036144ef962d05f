"""Markup that nests too deeply is flattened before it is parsed, for a parser's time grows with the square of it."""

import re
from collections.abc import Iterator

from pincite.model.call import Call

MAX_DEPTH = 2000
"""Elements within each other; a browser stops at 512."""

HARMLESS = 20_000
"""Tags that a page may have before its nesting is looked at: so many take half a second at worst."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_APART = frozenset(("svg", "script", "style", "textarea", "title", "math"))
_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _APART}
_SHALLOW = frozenset((
    "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "colgroup", "col", "caption", "option",
    "optgroup", "a", "nobr", "h1", "h2", "h3", "h4", "h5", "h6", "html", "head", "body", "br", "hr", "img",
    "input", "meta", "link", "base", "area", "embed", "param", "source", "track", "wbr", "frame", "title",
    "script", "style", "textarea",
))  # fmt: skip
"""Elements that are closed by the next of their kind, or hold none."""


def flattened(markup: str, call: Call) -> tuple[str, bool]:
    """The markup without the tags that nest deeper than the limit, and whether there were any."""
    if markup.count("<") <= HARMLESS:
        return markup, False
    depth = 0
    for closing, _ in _tags(markup, call):
        depth += -1 if closing and depth else not closing
        if depth > MAX_DEPTH:
            return "".join(_kept(markup, call)), True
    return markup, False


def _tags(markup: str, call: Call) -> Iterator[tuple[bool, re.Match[str]]]:
    number = position = 0
    endless: set[str] = set()
    while tag := _TAG.search(markup, position):
        number += 1
        if number % 1000 == 0:
            call.check()
        position = tag.end()
        name = tag[2].lower()
        if name in _APART and name not in endless and not tag[1]:
            # Within it other rules hold: what looks like a tag may be none.
            end = _ENDS[name].search(markup, position)
            if end:
                position = end.end()
            else:
                endless.add(name)
        elif name not in _SHALLOW:
            yield bool(tag[1]), tag


def _kept(markup: str, call: Call) -> Iterator[str]:
    depth = position = 0
    for closing, tag in _tags(markup, call):
        depth += not closing
        if depth > MAX_DEPTH:
            # A space where a tag was: words on its two sides stay two.
            yield markup[position : tag.start()] + " "
            position = tag.end()
        depth -= closing and depth > 0
    yield markup[position:]
