"""What a page says of itself between `---` (YAML) or `+++` (TOML) lines at its top."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pincite.text.lexical import LANGUAGE_TAG, LINE_END

LONGEST = 65_536
"""Characters in which front matter must end."""

_FENCES = (
    re.compile(r"(?P<mark>---)[ \t]*(?:\r\n?|\n)(?P<body>(?:[^\r\n]*(?:\r\n?|\n))*?)(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)"),
    re.compile(r"(?P<mark>\+\+\+)[ \t]*(?:\r\n?|\n)(?P<body>(?:[^\r\n]*(?:\r\n?|\n))*?)\+\+\+[ \t]*(?=[\r\n]|\Z)"),
)
_PAIR = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s#:\-\[{&*!|>%@`"'?,][^:#]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?""")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_QUOTED = re.compile(r"""(?P<mark>["'])(?P<text>(?:(?!(?P=mark)).)*)(?P=mark)?""")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Front matter that was found.

    Attributes:
        end: Its end in the page, after the closing line's marks.
        properties: Its values as text; lists and mappings in the flow style of YAML (`[a, b]`).
    """

    end: int
    properties: Mapping[str, str]

    @property
    def title(self) -> str | None:
        """The title that the page gives itself."""
        return " ".join(self.properties.get("title", "").split()) or None

    @property
    def language(self) -> str | None:
        """The language that the page names, if it has the form of a BCP 47 tag."""
        tag = self.properties.get("lang") or self.properties.get("language") or ""
        return tag.replace("_", "-") if LANGUAGE_TAG.fullmatch(tag) else None


def find(text: str) -> FrontMatter | None:
    """The front matter at the top of a page; None where there is none.

    Lines between two `---` that do not begin as a YAML mapping are no front matter but text
    between two rules.
    """
    head = text[:LONGEST]
    for fence in _FENCES:
        if match := fence.match(head):
            if match["mark"] == "+++":
                return FrontMatter(match.end(), _toml(match["body"]))
            if _is_mapping(match["body"]):
                return FrontMatter(match.end(), _yaml(match["body"]))
    return None


def _is_mapping(body: str) -> bool:
    lines = (line for line in LINE_END.split(body) if line.strip() and not line.startswith("#"))
    first = next(lines, None)
    return first is None or _PAIR.fullmatch(first) is not None


def _yaml(body: str) -> dict[str, str]:
    """The pairs of the outermost mapping; where one cannot be read, the others still are."""
    from pincite.formats.markdown import yaml_mapping  # noqa: PLC0415 - most pages have no front matter

    try:
        return _filled(yaml_mapping.pairs(body))
    except ValueError:
        pass
    properties: dict[str, str] = {}
    for item in _items(body):
        try:
            properties |= _filled(yaml_mapping.pairs(item))
        except ValueError:
            properties |= _as_written(item)
    return properties


def _filled(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {key: value for key, value in pairs if value}


def _items(body: str) -> Iterator[str]:
    """The lines of each pair of the outermost mapping."""
    lines: list[str] = []
    for line in LINE_END.split(body):
        if lines and _PAIR.fullmatch(line):
            yield "\n".join(lines)
            lines.clear()
        lines.append(line)
    yield "\n".join(lines)


def _as_written(item: str) -> dict[str, str]:
    """A pair that is no YAML, such as `title: Using pincite: a guide`: what its first line says."""
    pair = _PAIR.fullmatch(item.partition("\n")[0])
    value = _COMMENT.sub("", (pair["value"] or "") if pair else "").strip()
    if quoted := _QUOTED.fullmatch(value):
        value = quoted["text"]
    return {pair["key"].strip("\"'"): value} if pair and value else {}


def _toml(body: str) -> dict[str, str]:
    """The scalars of the outermost table; nothing where it is not TOML."""
    try:
        table = tomllib.loads(LINE_END.sub("\n", body))
    except (ValueError, RecursionError):
        return {}
    return {key: _text(value) for key, value in table.items() if not isinstance(value, list | dict)}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
