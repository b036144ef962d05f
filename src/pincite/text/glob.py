"""Which documents a path glob or a path prefix means."""

import posixpath
import re
from collections.abc import Callable, Iterable
from itertools import product

from pincite.text.wildcards import Part, Wild, regex

Predicate = Callable[[str], bool]

LONGEST_PATTERN = 4096
MOST_ALTERNATIVES = 1000
LONGEST_EXPANSION = 50_000
DEEPEST_BRACES = 20


def matcher(pattern: str) -> Predicate:
    r"""Tells whether a name (whole relative path with `/`) fits a glob.

    - `*` and `?` stay inside one segment; a dot or a space is a character like any other.
    - `**` crosses segments, wherever it stands: `docs/**` is everything below `docs`, `**.md` every
      name that ends in `.md`. As a segment of its own it may also be nothing: `**/x.md` fits
      `x.md`, `a/**/b` fits `a/b`. More than two stars in a row are `**`.
    - `[abc]`, `[a-z]`, `[!a]`, `[^a]` are one character, never `/`; `]` comes first to be meant itself.
    - `{a,b}` is either; alternatives may be empty, nested, and hold `/`.
    - `\` takes the next character for itself.
    - Letter case counts; there is no Unicode normalisation, no match on the base name alone, no
      stripping of a leading `./` or `/` (`paths.from_root` does that).

    A malformed glob fits nothing: an open `[` or `{`, a lone `\` at the end, a range that runs
    backwards, over 4,096 characters, 1,000 alternatives (50,000 characters together) or 20 levels of braces.
    """
    try:
        alternatives = _alternatives(pattern)
        written = "|".join(f"(?:{regex(_parts(alternative))})" for alternative in alternatives)
    except _Malformed:
        return _nothing
    fits = re.compile(written, re.DOTALL).fullmatch
    return lambda name: fits(name) is not None


def under(prefix: str) -> Predicate:
    """Tells whether a name lies in this folder or is this very file.

    `epics`, `epics/`, `./epics` and `/epics` mean the same; empty, `.` and `/` mean everything. It is
    never half a name, and a prefix that leaves the folder (`..`) holds nothing.
    """
    folder = posixpath.normpath(prefix.lstrip("/") or ".")
    if folder == ".":
        return _everything
    inside = f"{folder}/"
    return lambda name: name == folder or name.startswith(inside)


class _Malformed(ValueError):
    """The glob is none."""


def _nothing(_name: str) -> bool:
    return False


def _everything(_name: str) -> bool:
    return True


def _alternatives(pattern: str) -> list[str]:
    """The globs without braces that a glob stands for."""
    if len(pattern) > LONGEST_PATTERN:
        raise _Malformed
    alternatives, _ = _expand(pattern, 0, 0)
    return list(dict.fromkeys(alternatives))


def _expand(pattern: str, at: int, depth: int) -> tuple[list[str], int]:
    """Alternatives from `at` to the `}` that ends this level (or to the end), and where that is."""
    if depth > DEEPEST_BRACES:
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
    kept: list[str] = []
    size = 0
    for alternative in alternatives:
        kept.append(alternative)
        size += len(alternative)
        if len(kept) > MOST_ALTERNATIVES or size > LONGEST_EXPANSION:
            raise _Malformed
    return kept


def _literal(pattern: str, at: int, depth: int) -> int:
    """One past the end of what stands between two braces or commas that count."""
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
    """A class of a glob as a class of a regular expression."""
    inner = written[1:-1]
    negated = len(inner) > 1 and inner[0] in "!^"
    members: list[str] = []
    for first, last in _MEMBER.findall(inner[1:] if negated else inner):
        low, high = first[-1], (last or first)[-1]
        if low > high:
            raise _Malformed
        members.append(f"{re.escape(low)}-{re.escape(high)}" if last else re.escape(low))
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]"
