"""The text of DrawingML (ECMA-376 part 1, 21.1.2): paragraphs with links, bullets and numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pincite.formats.ooxml.equations import equation
from pincite.formats.ooxml.package import RELATION, Element, children, find, find_all, local_name, name, whole_number
from pincite.formats.writing.numerals import roman
from pincite.formats.writing.scripts import scripted

MAX_LEVEL = 8
"""DrawingML has nine levels, from 0 (21.1.2.2.7)."""
_ALPHABET = 26


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph.

    Attributes:
        text: Its text, with links as `[text](url)`.
        plain: Its text without links.
        level: Its level, from 0.
        bullet: True if it is an item of a list.
        label: The number before it (`2.`, `b)`); empty for a bullet.
    """

    text: str
    plain: str
    level: int = 0
    bullet: bool = False
    label: str = ""


Conceals = Callable[[Sequence[Element], str], bool]
"""Returns True if a run is invisible, from its properties and defaults (`a:rPr`, `a:defRPr`) and its text."""


def paragraphs(
    body: Element,
    links: Mapping[str, str],
    styles: Sequence[Element] = (),
    link: str = "",
    conceals: Conceals | None = None,
) -> list[Paragraph]:
    """Return the paragraphs of a text body that are not blank.

    Args:
        body: `p:txBody`, `a:txBody` or another element with `a:p`.
        links: Relation id → URL.
        styles: List styles, the most specific first; the first that defines bullets applies.
        link: URL of the shape as a whole.
        conceals: Returns True for runs to leave out; None keeps all.
    """
    own_style = find(body, "a:lstStyle")
    chain = [*([own_style] if own_style is not None else []), *styles]
    counters: dict[int, int] = {}
    candidates = (_paragraph(element, links, chain, counters, link, conceals) for element in find_all(body, "a:p"))
    return [paragraph for paragraph in candidates if paragraph.plain.strip()]


def plain_text(body: Element) -> str:
    """Return the text of a body, a line for each paragraph."""
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
        text_properties
        for style in chain
        if (text_properties := find(style, f"a:lvl{level + 1}pPr/a:defRPr")) is not None
    ]
    runs = list(_runs(element, links, link, defaults, conceals))
    plain = "".join(text for text, _ in runs)
    if not plain.strip():
        return Paragraph("", "", level)
    mark = _mark(properties, chain, level)
    numbered = mark is not None and local_name(mark) == "buAutoNum"
    # A paragraph restarts the numbers of deeper levels; without a number of its own, also its level's.
    for deeper in [key for key in counters if key > level or (key == level and not numbered)]:
        del counters[deeper]
    label = ""
    if mark is not None and numbered:
        counters[level] = counters.get(level, whole_number(mark.get("startAt"), 1) - 1) + 1
        label = number_label(counters[level], mark.get("type") or "arabicPeriod")
    # Text below the first level is an item even without a bullet of its own.
    bullet = mark is not None and local_name(mark) != "buNone"
    return Paragraph(_linked(runs), plain, level, bullet or level > 0, label)


def _runs(
    element: Element, links: Mapping[str, str], link: str, defaults: Sequence[Element], conceals: Conceals | None
) -> Iterator[tuple[str, str]]:
    """Yield text and URL of each visible run, raised and lowered ones with their marks (`m^2`)."""
    before, last_baseline = "", 0
    for child in children(element):
        kind = local_name(child)
        if kind in ("r", "fld"):
            text = find(child, "a:t")
            click = find(child, "a:rPr/a:hlinkClick")
            url = links.get(click.get(RELATION) or "", "") if click is not None else ""
            run = ((text.text or "") if text is not None else "").replace("\v", "\n")
            run_properties = find(child, "a:rPr")
            if conceals is None or not conceals(
                [*([run_properties] if run_properties is not None else []), *defaults], run
            ):
                baseline = whole_number(run_properties.get("baseline")) if run_properties is not None else 0
                # A script in several runs has one mark.
                if baseline and baseline * last_baseline <= 0:
                    run = scripted(run, before, is_super=baseline > 0)
                yield run, url or link
                before, last_baseline = run[-3:] or before, baseline
        elif kind == "br":
            yield "\n", ""
        elif kind == "m":
            yield "; ".join(filter(None, map(equation, child.iter(name("m:oMath"))))), ""


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
    """Return a Markdown link; a URL with spaces or brackets is put in angle brackets."""
    return f"[{text}](<{url}>)" if any(mark in url for mark in " ()") else f"[{text}]({url})"


def _mark(properties: Element | None, chain: Sequence[Element], level: int) -> Element | None:
    """The bullet of the paragraph, or of the most specific style that defines one."""
    levels = [properties, *(find(style, f"a:lvl{level + 1}pPr") for style in chain)]
    for element in levels:
        for child in element if element is not None else ():
            if local_name(child) in ("buNone", "buAutoNum", "buChar", "buBlip"):
                return child
    return None


def number_label(number: int, scheme: str) -> str:
    """Return a number in a scheme of `buAutoNum`: `arabicPeriod` 2 is `2.`, `alphaLcParenBoth` 2 is `(b)`."""
    text = str(number)
    if scheme.startswith("alpha"):
        text = chr(ord("a") + (number - 1) % _ALPHABET) * ((number - 1) // _ALPHABET + 1)
    elif scheme.startswith("roman"):
        text = roman(number)
    text = text.upper() if "Uc" in scheme else text
    if scheme.endswith("ParenBoth"):
        return f"({text})"
    return text + (")" if scheme.endswith("ParenR") else "" if scheme.endswith("Plain") else ".")
