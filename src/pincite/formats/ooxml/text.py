"""The text of DrawingML (ECMA-376 part 1, 21.1.2): paragraphs with links, bullets and numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pincite.formats.ooxml.package import Element, children, find, find_all, local_name, name, whole_number
from pincite.formats.writing.numerals import roman

MAX_LEVEL = 8
_LINK = name("r:id")
_ALPHABET = 26


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph.

    Attributes:
        text: With links as `[text](url)`.
        plain: The text alone.
        level: From 0.
        bullet: Whether it is an item of a list.
        label: The number that is shown before it (`2.`, `b)`); empty for a bullet.
    """

    text: str
    plain: str
    level: int = 0
    bullet: bool = False
    label: str = ""


Conceals = Callable[[Sequence[Element], str], bool]
"""Told what a run and its defaults say (`a:rPr`, `a:defRPr`) and its text: whether nobody sees it."""


def paragraphs(
    body: Element,
    links: Mapping[str, str],
    styles: Sequence[Element] = (),
    link: str = "",
    conceals: Conceals | None = None,
) -> list[Paragraph]:
    """The paragraphs of a text body that are not blank.

    Args:
        body: `p:txBody`, `a:txBody` or another element that holds `a:p`.
        links: URL by relation id.
        styles: List styles from the nearest to the farthest; the first that speaks of bullets decides.
        link: URL of the shape as a whole.
        conceals: Which runs to leave out; none without.
    """
    own = find(body, "a:lstStyle")
    chain = [*([own] if own is not None else []), *styles]
    counters: dict[int, int] = {}
    made = (_paragraph(element, links, chain, counters, link, conceals) for element in find_all(body, "a:p"))
    return [paragraph for paragraph in made if paragraph.plain.strip()]


def plain_text(body: Element) -> str:
    """The text of a body, a line for each paragraph."""
    return "\n".join(paragraph.plain.strip() for paragraph in paragraphs(body, {}))


def _paragraph(
    element: Element,
    links: Mapping[str, str],
    chain: Sequence[Element],
    counters: dict[int, int],
    link: str,
    conceals: Conceals | None,
) -> Paragraph:
    properties = find(element, "a:pPr")
    level = max(0, min(whole_number(properties.get("lvl") if properties is not None else None), MAX_LEVEL))
    defaults = [
        text_properties for one in chain if (text_properties := find(one, f"a:lvl{level + 1}pPr/a:defRPr")) is not None
    ]
    runs = list(_runs(element, links, link, defaults, conceals))
    plain = "".join(text for text, _ in runs)
    if not plain.strip():
        return Paragraph("", "", level)
    mark = _mark(properties, chain, level)
    numbered = mark is not None and local_name(mark) == "buAutoNum"
    for deeper in [key for key in counters if key > level or (key == level and not numbered)]:
        del counters[deeper]
    label = ""
    if mark is not None and numbered:
        counters[level] = counters.get(level, whole_number(mark.get("startAt"), 1) - 1) + 1
        label = number_label(counters[level], mark.get("type") or "arabicPeriod")
    bullet = mark is not None and local_name(mark) != "buNone"
    return Paragraph(_linked(runs), plain, level, bullet or level > 0, label)


def _runs(
    element: Element, links: Mapping[str, str], link: str, defaults: Sequence[Element], conceals: Conceals | None
) -> Iterator[tuple[str, str]]:
    """Text and URL of each run that can be seen."""
    for child in children(element):
        kind = local_name(child)
        if kind in ("r", "fld"):
            text = find(child, "a:t")
            click = find(child, "a:rPr/a:hlinkClick")
            url = links.get(click.get(_LINK) or "", "") if click is not None else ""
            run = ((text.text or "") if text is not None else "").replace("\v", "\n")
            own = find(child, "a:rPr")
            if conceals is None or not conceals([*([own] if own is not None else []), *defaults], run):
                yield run, url or link
        elif kind == "br":
            yield "\n", ""
        elif kind == "m":
            yield "".join(found.text or "" for found in child.iter(name("m:t"))), ""


def _linked(runs: Sequence[tuple[str, str]]) -> str:
    parts: list[str] = []
    for url, group in groupby(runs, key=lambda run: run[1]):
        text = "".join(part for part, _ in group)
        core = text.strip()
        if url and core and core != url:
            before, _, after = text.partition(core)
            text = f"{before}{link_to(core, url)}{after}"
        parts.append(text)
    return "".join(parts)


def link_to(text: str, url: str) -> str:
    """A link of Markdown; a URL that holds spaces or brackets stands in angle brackets."""
    return f"[{text}](<{url}>)" if any(mark in url for mark in " ()") else f"[{text}]({url})"


def _mark(properties: Element | None, chain: Sequence[Element], level: int) -> Element | None:
    """What the paragraph, else the nearest style, says of its bullet."""
    levels = [properties, *(find(style, f"a:lvl{level + 1}pPr") for style in chain)]
    for element in levels:
        for child in element if element is not None else ():
            if local_name(child) in ("buNone", "buAutoNum", "buChar", "buBlip"):
                return child
    return None


def number_label(number: int, scheme: str) -> str:
    """A number as `buAutoNum` shows it: `arabicPeriod` 2 is `2.`, `alphaLcParenBoth` 2 is `(b)`."""
    text = str(number)
    if scheme.startswith("alpha"):
        text = chr(ord("a") + (number - 1) % _ALPHABET) * ((number - 1) // _ALPHABET + 1)
    elif scheme.startswith("roman"):
        text = roman(number)
    text = text.upper() if "Uc" in scheme else text
    if scheme.endswith("ParenBoth"):
        return f"({text})"
    return text + (")" if scheme.endswith("ParenR") else "" if scheme.endswith("Plain") else ".")
