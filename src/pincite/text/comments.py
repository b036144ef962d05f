"""Comments of markup, which its author took out of what readers see."""

import re
from collections.abc import Iterator

_OPENING = re.compile(
    r"```|`[^`\n]*`|<!--|\{/\*|^/{4,}(?=[ \t]*$)|^//(?!/)[^\n]*"
    r"|^\.\.[ \t]+(?![_\[|]|[^\n]*::)\S[^\n]*(?:\n[ \t]+\S[^\n]*)*",
    re.MULTILINE,
)
"""Code, which may show comments; comments of HTML in Markdown, of MDX, of AsciiDoc as a block and a line, and of
reStructuredText, whose explicit markup is else a target, a footnote, a substitution or a directive."""
_CLOSING = {"```": "```", "<!--": "-->", "{/*": "*/}"}
_VISIBLE = re.compile(r"\S")


def without_comments(text: str) -> str:
    """Return a text of the same length with spaces for its comments."""
    parts, start = list[str](), 0
    for first, end in _comments(text):
        parts += text[start:first], _VISIBLE.sub(" ", text[first:end])
        start = end
    return "".join((*parts, text[start:])) if parts else text


def _comments(text: str) -> Iterator[tuple[int, int]]:
    end, unclosed = 0, set[str]()
    for opening in _OPENING.finditer(text):
        mark = opening[0]
        if opening.start() < end or mark in unclosed:
            continue
        end = opening.end()
        if closing := _CLOSING.get(mark) or (f"\n{mark}" if mark.startswith("////") else ""):
            found = text.find(closing, end)
            if found < 0:
                unclosed.add(mark)
                continue
            end = found + len(closing)
        if not mark.startswith("`"):
            yield opening.start(), end
