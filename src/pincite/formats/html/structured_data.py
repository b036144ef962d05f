"""Read the text of a page whose script writes it from the page's structured data (JSON-LD, schema.org)."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any, cast

from selectolax.lexbor import LexborHTMLParser

MIN_TEXT_CHARACTERS = 250
"""Length of the structured text below which it is a summary: two or three sentences."""

MAX_DEPTH = 20
MAX_VALUES = 10_000
"""Bounds of the walk over the data of a hostile page."""

_TITLES = ("headline", "name")
_TEXTS = frozenset(("articleBody", "text", "description", "recipeIngredient", "recipeInstructions", "reviewBody"))
_PARTS = frozenset((
    "@graph", "mainEntity", "mainEntityOfPage", "step", "steps", "itemListElement", "hasPart", "acceptedAnswer",
    "suggestedAnswer", "recipeInstructions", "item", "about", "review",
))  # fmt: skip
"""Properties whose objects are parts of the text of the object that has them."""

_MARKUP = re.compile(r"</?(?:p|br|div|ul|ol|li|h[1-6]|b|strong|em|i|a|span)\b[^>]*>", re.IGNORECASE)
_SUMMARISED_TYPES = frozenset(("BreadcrumbList", "Organization", "WebSite", "Person", "ImageObject", "VideoObject"))


def markup(page: LexborHTMLParser) -> str:
    """Return the longest text of a page's structured data as HTML; empty if there is none of some length."""
    texts = ["".join(_markup(value, 0)) for script in page.css("script") for value in _objects(script)]
    longest = max(texts, key=len, default="")
    return longest if len(_MARKUP.sub("", longest)) >= MIN_TEXT_CHARACTERS else ""


def _objects(script: Any) -> list[Any]:
    if (script.attributes.get("type") or "").strip().lower() != "application/ld+json":
        return []
    try:
        value = json.loads(script.text() or "", strict=False)
    except (ValueError, RecursionError):
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _markup(value: Any, depth: int) -> Iterator[str]:
    """Yield the title, the texts and the parts of an object, in the order of its properties."""
    if isinstance(value, list):
        for one in cast("list[Any]", value)[:MAX_VALUES]:
            yield from _markup(one, depth + 1)
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return
    properties = cast("dict[str, Any]", value)
    if properties.get("@type") in _SUMMARISED_TYPES:
        return
    title = next((properties[name] for name in _TITLES if isinstance(properties.get(name), str)), "")
    if title:
        yield f"<h{min(6, 1 + depth)}>{html.escape(title)}</h{min(6, 1 + depth)}>"
    # The whole text makes its summary superfluous.
    is_whole = isinstance(properties.get("articleBody"), str)
    for name, inner in properties.items():
        if name in _TEXTS and not (is_whole and name == "description"):
            for text in cast("list[Any]", inner) if isinstance(inner, list) else [inner]:
                yield _paragraphs(text) if isinstance(text, str) else ""
        if name in _PARTS:
            yield from _markup(inner, depth + 1)


def _paragraphs(text: str) -> str:
    if _MARKUP.search(text):
        return f"<div>{text}</div>"
    lines = (line.strip() for line in html.unescape(text).splitlines())
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)
