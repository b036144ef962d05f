"""Find the elements that a page's embedded style sheets may hide.

Only pages whose sheets have a declaration that can hide text pay for this. A rule for other media than a screen, or for
a state (`:hover`), hides nothing; one that shows what another rule hides proves that a control opens the element.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from pincite.formats.html import css
from pincite.formats.writing.contrast import is_indistinct
from pincite.model.call import Call

MAX_SELECTIONS = 2_000
"""Maximum selectors looked up in one page: each lookup traverses its whole tree."""

_SUSPECT_COLOUR = re.compile(r"(?<![-\w])color\s*:", re.IGNORECASE)
"""Used only if all style sheets are in the page: otherwise the background of a text is unknown."""
_SUSPECT = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*\.?0|font(?:-size)?\s*:[^;}]*?(?<![\w.])[012]?\."
    r"?\d*(?:px|pt|em|rem|%)|font-size\s*:\s*0|text-indent\s*:\s*(?:-|100%)|(?:left|right|top|bottom)\s*:\s*-\d{3}"
    r"|clip(?:-path)?\s*:|(?:height|width)\s*:\s*[01](?:px)?\s*[;!}]|(?<!-)color\s*:\s*(?:transparent|rgba|hsla|#)|text-fill",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_COMMA = re.compile(r",(?![^(]*\))")
_BRACE = re.compile(r"[{}]")
_SCREEN = re.compile(r"(?:only )?(?:screen|all)?")
_PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-l)")
_STATE = re.compile(r":(?:hover|focus(?:-within|-visible)?|active|target|checked|open|popover-open)\b")
_NAME = re.compile(r"([.#])((?:[\w-]|\\.|[^\x00-\x7f])+)")
_SIMPLE_SELECTOR = re.compile(
    r"(#[\w-]+)|([.][\w-]+|\[[^\]]*\]|:(?!:)[\w-]+)|(?<![\w.#:\-\[])([a-z][\w-]*)", re.IGNORECASE
)
_VALUE = r"""\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
_CLASSES, _IDS = (re.compile(name + _VALUE) for name in ("class", "id"))
_COLOURS = frozenset((
    "color", "background", "background-color", "background-image", "background-clip", "-webkit-background-clip",
    "-webkit-text-fill-color", "text-shadow", "-webkit-text-stroke",
))  # fmt: skip
_WHOLE_PAGE = frozenset(("html", "body", "head"))


@dataclass(frozen=True, slots=True)
class Rule:
    """A style rule with one of its selectors.

    Attributes:
        selector: The selector without states.
        declarations: Property → value and whether it is important.
        weight: Specificity, then position in the sheets: the order of the cascade.
        has_state: True if it applies in a state only (`:hover`).
        is_conditional: True if it applies in some media only.
    """

    selector: str
    declarations: Mapping[str, tuple[str, bool]]
    weight: tuple[int, int, int, int]
    has_state: bool
    is_conditional: bool


Rank = tuple[bool, tuple[int, int, int, int]]
"""Precedence of a declaration: whether it is important, then its rule's weight."""


@dataclass(slots=True)
class Styled:
    """An element that a rule may hide.

    Attributes:
        node: The element.
        ranked: Property → precedence and value of the declaration that applies.
        is_revealed: True if a rule for a state or other media shows it.
    """

    node: LexborNode
    ranked: dict[str, tuple[Rank, str]] = field(default_factory=dict[str, "tuple[Rank, str]"])
    is_revealed: bool = False

    @property
    def declarations(self) -> css.Declarations:
        """The declarations that apply, including its `style` attribute."""
        declared = {name: value for name, (_, value) in self.ranked.items()}
        own = css.inline(self.node.attributes.get("style") or "")
        return {**declared, **{name: value for name, value in own.items() if not self._is_important(name)}}

    def _is_important(self, name: str) -> bool:
        return name in self.ranked and self.ranked[name][0][0]

    def apply(self, rule: Rule) -> None:
        """Add a rule's declarations by the cascade."""
        for name, (value, important) in rule.declarations.items():
            rank = (important, rule.weight)
            if name not in self.ranked or self.ranked[name][0] <= rank:
                self.ranked[name] = (rank, value)


class StyleSheets:
    """The embedded style sheets of a page.

    Args:
        page: The page.
        markup: Its source. Selectors with names that do not occur in it are skipped.
        call: Checked for cancellation at each selector.

    Attributes:
        has_others: True if the page loads style sheets that are not embedded.
    """

    def __init__(self, page: LexborHTMLParser, markup: str, call: Call) -> None:
        self._page = page
        self._call = call
        self._remaining = MAX_SELECTIONS
        self._selected: dict[str, list[LexborNode]] = {}
        self.has_others = bool(page.css_first('link[rel~="stylesheet" i], link[rel~="preload"][as="style"]'))
        sources = [style.text() for style in page.css("style") if _is_for_screens(style.attributes.get("media") or "")]
        texts = [_STRING.sub('""', _COMMENT.sub("", text)) if "{" in text else "" for text in sources]
        self._rules: list[Rule] = []
        colours = () if self.has_others else texts
        # A search by pattern first: a full parser (tinycss2) takes seconds for the 800 kB of style sheets in a saved
        # page (decision 0010).
        if any(map(_SUSPECT.search, texts)) or any(map(_SUSPECT_COLOUR.search, colours)):
            # Most rules of a framework's sheet name classes that the page does not use.
            names = _names(_CLASSES, markup), _names(_IDS, markup)
            self._rules = [rule for rule in _rules(texts) if _can_match(rule.selector, names)]

    def styled(self) -> list[Styled]:
        """Return the elements that a rule may hide, with all declarations that apply to them."""
        by_id: dict[int, Styled] = {}
        is_by_colour = False
        for rule in self._rules:
            if not rule.has_state and not rule.is_conditional and self._may_hide(rule):
                for node in self.select(rule.selector):
                    if node.tag not in _WHOLE_PAGE:
                        is_by_colour = is_by_colour or not _COLOURS.isdisjoint(rule.declarations)
                        by_id.setdefault(node.mem_id, Styled(node))
        for rule in self._rules if by_id else ():
            # Rules for colours alone matter only if a rule may hide by colour; most sheets are full of them.
            if not is_by_colour and _COLOURS.issuperset(rule.declarations):
                continue
            matched = [by_id[node.mem_id] for node in self.select(rule.selector) if node.mem_id in by_id]
            for styled in matched:
                if not rule.has_state and not rule.is_conditional:
                    styled.apply(rule)
                elif not self._may_hide(rule):
                    styled.is_revealed = styled.is_revealed or _may_show(rule)
        return list(by_id.values())

    def backgrounds(self) -> dict[int, str]:
        """Return the backgrounds that the sheets declare: memory id of the element → value."""
        values: dict[int, str] = {}
        for rule in self._rules:
            value = css.background({name: value for name, (value, _) in rule.declarations.items()})
            for node in self.select(rule.selector) if value else ():
                # Two rules compete, and the cascade is not computed here: the background is unknown.
                values[node.mem_id] = value if values.get(node.mem_id, value) == value else "unknown"
        return values

    def is_set_within(self, node: LexborNode, prop: str) -> bool:
        """Return True if a rule sets an inherited property, visibly, on a descendant of an element."""
        for rule in self._rules:
            # Its colour, which may hide it, is judged elsewhere.
            if prop in rule.declarations and not css.concealment({prop: rule.declarations[prop][0]}):
                for descendant in self.select(rule.selector):
                    ancestor = descendant.parent
                    while ancestor is not None and ancestor.mem_id != node.mem_id:
                        ancestor = ancestor.parent
                    if ancestor is not None:
                        return True
        return False

    def select(self, selector: str) -> list[LexborNode]:
        """Return the elements that a selector matches; none if it is invalid, or once `MAX_SELECTIONS` is reached."""
        if selector in self._selected:
            return self._selected[selector]
        self._call.check()
        self._remaining -= 1
        try:
            nodes = self._page.css(selector) if self._remaining >= 0 else []
        except SelectolaxError:
            nodes = []
        self._selected[selector] = nodes
        return nodes

    def _may_hide(self, rule: Rule) -> bool:
        declarations = {name: value for name, (value, _) in rule.declarations.items()}
        # Another rule may position the element or clip it: assume both.
        if css.concealment({"position": "absolute", "overflow": "hidden", **declarations}) or css.is_transparent(
            declarations
        ):
            return True
        if "color" not in declarations:
            return False
        text, behind = css.colour(declarations["color"]), css.colour(css.background(declarations))
        return (text is not None and behind is not None and is_indistinct(text, behind)) or (
            not self.has_others and not css.background(declarations)
        )


def _is_for_screens(media: str) -> bool:
    return any(_SCREEN.fullmatch(" ".join(part.lower().split())) for part in media.split(","))


def _names(attribute: re.Pattern[str], markup: str) -> set[str]:
    """The values of an attribute in lower case, whatever the case of its name."""
    if attribute.pattern.partition("\\")[0].upper() in markup:
        markup = markup.lower()
    values = {double or single or bare for double, single, bare in attribute.findall(markup)}
    return {name.lower() for value in values for name in value.split()}


def _can_match(selector: str, names: tuple[set[str], set[str]]) -> bool:
    return all(name.replace("\\", "").lower() in names[mark == "#"] for mark, name in _NAME.findall(selector))


def _may_show(rule: Rule) -> bool:
    return not {"display", "visibility", "opacity", "height", "max-height", "clip", "left"}.isdisjoint(
        rule.declarations
    )


def _rules(texts: Iterable[str]) -> Iterator[Rule]:
    order = 0
    for text in texts:
        for prelude, body, is_conditional in _blocks(text):
            declarations = {name: (value, important) for name, value, important in css.parse(body)}
            if not declarations:
                continue
            for selector in _COMMA.split(prelude):
                has_colon = ":" in selector
                if selector.strip() and not (has_colon and _PSEUDO_ELEMENT.search(selector)):
                    order += 1
                    plain = (_STATE.sub("", selector) if has_colon else selector).strip()
                    # With the state: `:hover` counts as a class in the cascade.
                    weight = (*_specificity(selector), order)
                    yield Rule(plain, declarations, weight, has_colon and plain != selector.strip(), is_conditional)


def _specificity(selector: str) -> tuple[int, int, int]:
    parts = _SIMPLE_SELECTOR.findall(selector)
    return (sum(bool(a) for a, _, _ in parts), sum(bool(b) for _, b, _ in parts), sum(bool(c) for _, _, c in parts))


def _blocks(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield prelude, body and whether it is conditional for each style rule, without key frames and fonts."""
    outer: list[str] = []
    start = 0
    prelude: str | None = None
    for brace in _BRACE.finditer(text):
        part = text[start : brace.start()]
        start = brace.end()
        if brace[0] == "{":
            # Text before the prelude is declarations of the enclosing rule, or statements.
            head = part.rpartition(";")[2].strip()
            outer.append(head)
            prelude = head
        elif outer:
            if prelude is not None and not prelude.startswith("@") and not any(map(_is_not_style, outer)):
                yield prelude, part, any(map(_is_condition, outer[:-1]))
            outer.pop()
            prelude = None


def _is_not_style(prelude: str) -> bool:
    return prelude.startswith(("@keyframes", "@-", "@font-face", "@page", "@media print", "@property"))


def _is_condition(prelude: str) -> bool:
    if prelude.lower().startswith("@media"):
        return not _is_for_screens(prelude[len("@media") :])
    return prelude.startswith(("@supports", "@container"))
