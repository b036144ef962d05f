"""Predicates for path globs and path prefixes."""

import posixpath
import re
from collections.abc import Callable, Iterable
from itertools import product
from unicodedata import normalize

from pincite.text.names.wildcards import Part, Wild, regex

Predicate = Callable[[str], bool]

# Nested braces expand exponentially: the limits bound time and memory whatever a client sends.
MAX_PATTERN_CHARS = 4096
MAX_ALTERNATIVES = 1000
MAX_EXPANSION_CHARS = 50_000
MAX_BRACE_DEPTH = 20


def matcher(pattern: str) -> Predicate:
    r"""Return a predicate that is true for names (whole relative paths with `/`) that match a glob.

    - `*` and `?` match inside one segment; a dot or a space is a character like any other.
    - `**` crosses segments, in any position: `docs/**` matches everything below `docs`, `**.md` every
      name that ends in `.md`. As a segment of its own it also matches nothing: `**/x.md` matches
      `x.md`, `a/**/b` matches `a/b`. More than two stars in a row are `**`.
    - `[abc]`, `[a-z]`, `[!a]`, `[^a]` match one character, never `/`; a literal `]` comes first.
    - `{a,b}` matches either; alternatives may be empty, nested, and contain `/`.
    - `\` makes the next character literal.
    - Letter case counts; canonically equivalent characters are equal (`é` may be one or two). There is no match on the
      base name alone, and no stripping of a leading `./` or `/` (`paths.from_root` does that).

    A malformed glob matches nothing: an open `[` or `{`, a lone `\` at the end, a reversed range,
    over 4,096 characters, 1,000 alternatives (50,000 characters together) or 20 levels of braces.
    """
    try:
        alternatives = _alternatives(normalize("NFC", pattern))
        expression = "|".join(f"(?:{regex(_parts(alternative))})" for alternative in alternatives)
    except _Malformed:
        return _nothing
    full_match = re.compile(expression, re.DOTALL).fullmatch
    return lambda name: full_match(normalize("NFC", name)) is not None


def under(prefix: str) -> Predicate:
    """Return a predicate that is true for the file of this name and for all files in the folder of this name.

    `epics`, `epics/`, `./epics` and `/epics` are equivalent; empty, `.` and `/` match everything. Part of a
    segment matches nothing, and neither does a prefix that leaves the folder (`..`).
    """
    folder = posixpath.normpath(normalize("NFC", prefix).lstrip("/") or ".")
    if folder == ".":
        return _everything
    folder_prefix = f"{folder}/"
    return lambda name: f"{normalize('NFC', name)}/".startswith(folder_prefix)


class _Malformed(ValueError):
    """The pattern is not a valid glob."""


def _nothing(_name: str) -> bool:
    return False


def _everything(_name: str) -> bool:
    return True


def _alternatives(pattern: str) -> list[str]:
    if len(pattern) > MAX_PATTERN_CHARS:
        raise _Malformed
    alternatives, _ = _expand(pattern, 0, 0)
    # `{a,a}` expands to equal alternatives, which would only slow the match down.
    return list(dict.fromkeys(alternatives))


def _expand(pattern: str, at: int, depth: int) -> tuple[list[str], int]:
    """Return the alternatives from `at` to the `}` that ends this level (or to the end), and the index of that end."""
    if depth > MAX_BRACE_DEPTH:
        raise _Malformed
    done: list[str] = []
    heads = [""]
    while at < len(pattern) and not (depth and pattern[at] == "}"):
        if pattern[at] == "{":
            tails, at = _expand(pattern, at + 1, depth + 1)
            if at == len(pattern):
                raise _Malformed
            heads = _bounded(head + tail for head, tail in product(heads, tails))
            at += 1
        elif depth and pattern[at] == ",":
            done += heads
            heads = [""]
            at += 1
        else:
            end = _literal(pattern, at, depth)
            text = pattern[at:end]
            heads = _bounded(head + text for head in heads)
            at = end
    return _bounded([*done, *heads]), at


def _bounded(alternatives: Iterable[str]) -> list[str]:
    # Checked at each step, before the product of nested braces fills memory.
    expanded: list[str] = []
    size = 0
    for alternative in alternatives:
        expanded.append(alternative)
        size += len(alternative)
        if len(expanded) > MAX_ALTERNATIVES or size > MAX_EXPANSION_CHARS:
            raise _Malformed
    return expanded


def _literal(pattern: str, at: int, depth: int) -> int:
    """The end of the literal text between two structural braces or commas."""
    match = (_INNER if depth else _OUTER).match(pattern, at)
    if match is None:
        raise _Malformed
    return match.end()


_CLASS = r"\[[!^]?(?:\\.|[^\\])(?:\\.|[^\]\\])*\]"
_OUTER = re.compile(rf"(?:{_CLASS}|\\.|[^\\\[{{])+", re.DOTALL)
_INNER = re.compile(rf"(?:{_CLASS}|\\.|[^\\\[{{}},])+", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<folders>(?:^|(?<=/))\*{{2,}}/)|(?P<deep>\*{{2,}})|(?P<star>\*)|(?P<any>\?)"
    rf"|(?P<class>{_CLASS})|\\(?P<escaped>.)|(?P<plain>[^\\\[])",
    re.DOTALL,
)
_WILD: dict[str, Part] = {"folders": Wild.FOLDERS, "deep": Wild.DEEP, "star": Wild.STAR, "any": "[^/]"}
_MEMBER = re.compile(r"(\\.|[^\\])(?:-(\\.|[^\\]))?", re.DOTALL)


def _parts(pattern: str) -> list[Part]:
    return [_part(token.lastgroup or "", token[token.lastgroup or 0]) for token in _TOKEN.finditer(pattern)]


def _part(kind: str, text: str) -> Part:
    if kind in _WILD:
        return _WILD[kind]
    return _class(text) if kind == "class" else _character(text)


def _character(char: str) -> Part:
    return Wild.SEPARATOR if char == "/" else re.escape(char)


def _class(written: str) -> str:
    """Translate a glob's character class into one of a regular expression."""
    inner = written[1:-1]
    negated = len(inner) > 1 and inner[0] in "!^"
    members: list[str] = []
    for first, last in _MEMBER.findall(inner[1:] if negated else inner):
        low, high = first[-1], (last or first)[-1]
        if low > high:
            raise _Malformed
        members.append(f"{re.escape(low)}-{re.escape(high)}" if last else re.escape(low))
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]"
