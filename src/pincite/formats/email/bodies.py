"""Choose among several versions of the text of a message."""

import re

from pincite.formats.email.message import Body

_HEAD = re.compile(r"<(style|script|head)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,20000}>")
_WORD = re.compile(r"\w+")
_RANKS = {"html": 2, "rtf": 1, "plain": 0}
_MIN_SHARE = 0.5
"""Share of the words of the longest version that the one with most structure has at least: the HTML of some messages
is a sentence or pictures alone."""
_MAX_COMPARED = 500_000
"""Characters of a body whose words are counted."""
_RTF_CODE_SHARE = 4
"""Words of RTF for each word of its text, roughly: most are control words."""


def best(versions: list[list[Body]]) -> list[Body]:
    """Return the version with most structure, unless another one has far more words; of equal ones the last."""
    if not versions:
        return []
    # Later versions are truer to the original (RFC 2046, 5.1.4).
    ranked = sorted(
        enumerate(versions), key=lambda pair: (max(_RANKS[body.kind] for body in pair[1]), pair[0]), reverse=True
    )
    words = [sum(map(_words, version)) for _, version in ranked]
    enough = max(words) * _MIN_SHARE
    return next(version for (_, version), count in zip(ranked, words, strict=True) if count >= enough)


def _words(body: Body) -> int:
    if body.kind == "rtf":
        return len(_WORD.findall(body.data[:_MAX_COMPARED].decode("latin-1"))) // _RTF_CODE_SHARE
    text = body.text[:_MAX_COMPARED]
    return len(_WORD.findall(_TAG.sub(" ", _without_heads(text)) if body.kind == "html" else text))


def _without_heads(html: str) -> str:
    """Return a page without its styles, scripts and head; one that does not end is kept."""
    parts: list[str] = []
    at = 0
    lowered = html.lower()
    while match := _HEAD.search(html, at):
        end = lowered.find(f"</{match[1].lower()}", match.end())
        if end < 0:
            break
        parts.append(html[at : match.start()])
        at = end
    return "".join([*parts, html[at:]])
