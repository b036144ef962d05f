"""What a server says of itself: which documents it serves, and what they are about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MAX_TITLES = 6
MAX_ABOUT_CHARS = 300

_SHORT = re.compile(r"\w(?:[\w '&/+()-]|\.(?=\w)){0,39}")
"""Titles are words of others, read by a model before any question: short ones without the signs of a sentence."""

MAX_TITLE_WORDS = 5


@dataclass(frozen=True, slots=True)
class Introduced:
    """A collection that is introduced.

    Attributes:
        name: Its name.
        kind: See `Spec.kind`.
        count: Number of its documents as last indexed; None if unknown.
        titles: Name and title of some of its documents, the shallowest and longest first.
    """

    name: str
    kind: Literal["folder", "library", "cached"]
    count: int | None = None
    titles: Sequence[tuple[str, str]] = ()


def introduction(served: Sequence[Introduced], about: str) -> str:
    """Return one or two sentences on what is served.

    Args:
        served: The collections.
        about: What the documents are about, in the words of who starts the server; else some titles say it.
    """
    lead = "pincite serves documents that are indexed and always current"
    named = "; ".join(_named(collection, with_titles=not about) for collection in served)
    topic = " ".join(about.split())[:MAX_ABOUT_CHARS].rstrip(".")
    return f"{lead}{': ' if named else ''}{named}.{f' They are about: {topic}.' if topic else ''}"


def _named(item: Introduced, *, with_titles: bool) -> str:
    name = "the library" if item.kind == "library" else f"the folder {item.name!r}" if short(item.name) else "a folder"
    if item.count is None:
        return name
    titles = ", ".join(f'"{title}"' for title in _telling(item.titles)) if with_titles else ""
    documents = "1 document" if item.count == 1 else f"{item.count} documents"
    return f"{name} ({documents} indexed so far{f', with titles such as {titles}' if titles else ''})"


def short(text: str) -> bool:
    """Return True if a foreign text is a short name, and cannot be a sentence that tells a model what to do."""
    return _SHORT.fullmatch(text) is not None and len(text.split()) <= MAX_TITLE_WORDS


def _telling(titles: Sequence[tuple[str, str]]) -> list[str]:
    """Return some short titles: the first of each folder before the second of any."""
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, str]] = []
    for name, title in titles:
        folder = name.rpartition("/")[0]
        seen[folder] = seen.get(folder, 0) + 1
        ranked.append((seen[folder], len(ranked), title))
    return list(dict.fromkeys(title for *_, title in sorted(ranked) if short(title)))[:MAX_TITLES]
