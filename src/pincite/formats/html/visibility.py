"""Which elements of a page are left out: what is no content, and what a reader of the page does not see."""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.formats.html import css
from pincite.formats.html.css import TOGGLED
from pincite.formats.html.stylesheets import StyleSheets
from pincite.formats.writing.contrast import WHITE, Colour, is_indistinct
from pincite.model.call import Call

Attributes = Mapping[str, str | None]

MAX_ANCESTORS = 50
"""Elements above one of white colour among which a dark background is looked for."""

_ELEMENTS = frozenset((
    "script", "style", "noscript", "template", "nav", "footer", "button", "svg", "iframe", "object", "embed",
    "applet", "canvas", "audio", "video", "select", "textarea", "datalist", "head", "title", "meta", "link",
    "base", "map", "noembed",
))  # fmt: skip
_ROLES = frozenset(("navigation", "search", "contentinfo", "doc-toc", "doc-pagelist"))
_CLASSES = frozenset((
    "headerlink", "navheader", "navfooter", "mw-editsection", "mw-portlet", "catlinks", "printfooter",
    "navbox", "sphinxsidebar", "breadcrumb",
    "breadcrumbs", "linenos", "linenodiv", "lineno", "line-numbers-rows", "gutter", "rouge-gutter",
    "mw-jump-link", "katex-html",
))  # fmt: skip
_BACK_LINKS = frozenset((
    "footnote-backref", "footnote-back", "footnote-backlink", "data-footnote-backref", "reversefootnote",
    "fn-backref", "mw-cite-backlink", "label", "fn-bracket",
))  # fmt: skip
_NOTES = frozenset((
    "footnote", "footnote-list", "citation", "citation-list", "admonition", "note", "topic", "callout",
    "system-message",
))  # fmt: skip
_NONE: frozenset[str] = frozenset()
_TELLING = frozenset(("class", "id"))
"""Attributes by which a style sheet that is not in the page may know an element."""
_POPUPS = frozenset(("dialog", "alertdialog", "menu", "menubar", "listbox", "tooltip"))
_POPUP_NAME = re.compile(r"modal|dialog|popup|overlay|off-?canvas|drawer|lightbox|menu|cookie", re.IGNORECASE)
_TARGET = re.compile(r"(?:aria-controls|data-target|data-bs-target)\s*=\s*(?:[\"']\s*#?([\w:. -]+)|#?([\w:.-]+))")
_FRAGMENT = re.compile(r"href\s*=\s*([\"']?)#([\w:.-]+)")
_TAB_MARKS = ('role="tab"', "role=tab", "data-toggle=", "data-bs-toggle=")
"""What tells of links that unfold what they lead to."""
_MAIN_SHARE = 0.5
"""Share of a page's text that no rule hides for good: a page that fades in hides all of it for a moment."""


def is_dropped(tag: str, attributes: Attributes, *, in_note: bool = False) -> bool:
    """Whether an element is no content: navigation, scripts, controls, marks that only the screen needs."""
    if tag in _ELEMENTS:
        return True
    if not attributes:
        return tag == "aside"
    role = attributes.get("role") or ""
    if role in _ROLES:
        return True
    names = classes(attributes)
    if tag == "aside":
        return not (role.startswith(("doc-", "note")) or names & _NOTES)
    if in_note and (role == "doc-backlink" or names & _BACK_LINKS):
        return True
    return not names.isdisjoint(_CLASSES)


def classes(attributes: Attributes) -> frozenset[str]:
    """The class names of an element."""
    names = attributes.get("class")
    return _split(names) if names else _NONE


@lru_cache(maxsize=1024)
def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


class Visibility:
    """What of a page can be seen.

    Args:
        page: The page.
        markup: Its source.
        call: Asked while its style sheets are applied.
    """

    def __init__(self, page: LexborHTMLParser, markup: str, call: Call) -> None:
        self._page = page
        self._markup = markup
        self._sheets = StyleSheets(page, markup, call)
        self._backgrounds: dict[int, str] | None = None
        self.concealed: dict[int, str] = {}
        for styled in self._sheets.styled():
            reason = self._by_style(styled.declarations, styled.node)
            if reason in TOGGLED and (styled.is_revealed or self._is_main(styled.node)):
                continue
            if reason and not self._is_panel(styled.node.attributes):
                self.concealed[styled.node.mem_id] = reason

    def reason(self, tag: str, attributes: Attributes, node: LexborNode) -> str:
        """Return why the page does not show an element; empty where it does."""
        if self.concealed and (reason := self.concealed.get(node.mem_id)):
            return reason
        if not attributes:
            return "closed dialog" if tag == "dialog" else ""
        if "hidden" in attributes and attributes["hidden"] != "until-found" and not self._is_panel(attributes):
            return "hidden"
        if (tag == "dialog" and "open" not in attributes) or _is_closed_popup(attributes):
            return "closed dialog"
        style = attributes.get("style")
        reason = self._by_style(css.inline(style), node) if style else ""
        return "" if reason in TOGGLED and self._is_panel(attributes) else reason

    def _by_style(self, declarations: css.Declarations, node: LexborNode) -> str:
        reason = css.concealment(declarations)
        if reason == "clipped away" and node.css_first("math"):
            return ""  # a formula as text, of which a picture is drawn
        if reason == "visibility: hidden" and self._is_set_within(node, "visibility"):
            return ""
        if css.is_tiny(declarations) and reason.startswith("type") and self._is_set_within(node, "font-size"):
            return ""
        if reason or ("color" not in declarations and "-webkit-text-fill-color" not in declarations):
            return reason
        if css.is_transparent(declarations):
            return "transparent"
        return "the colour of its background" if self._is_indistinct(declarations, node) else ""

    def _is_set_within(self, node: LexborNode, prop: str) -> bool:
        """Whether something inside an element has its own visible value of an inherited property."""
        for inside in node.css("[style]"):
            own = css.inline(inside.attributes.get("style") or "")
            if inside.mem_id != node.mem_id and prop in own and not css.concealment(own):
                return True
        return self._sheets.shown_within(node, prop)

    def _is_indistinct(self, declarations: css.Declarations, node: LexborNode) -> bool:
        """Whether the text has the colour of what is behind it, as far as that is known; a bare page is white."""
        if declarations["color"] == css.background(declarations):
            return True
        text, behind = css.colour(declarations["color"]), self._behind(declarations, node)
        return text is not None and behind is not None and is_indistinct(text, behind)

    def _behind(self, declarations: css.Declarations, node: LexborNode) -> Colour | None:
        """The background of an element; None where a picture or a style sheet that is not here may give one."""
        place: LexborNode | None = node
        for _ in range(MAX_ANCESTORS):
            value = css.background(declarations) or self._sheet_background(place)
            attributes = place.attributes if place else {}
            if value or attributes.get("bgcolor"):
                return css.colour(value or (attributes.get("bgcolor") or "").strip().lower())
            if attributes.get("background") or (self._sheets.has_others and not _TELLING.isdisjoint(attributes)):
                return None
            place = place.parent if place else None
            if place is None:
                return WHITE
            declarations = css.inline(place.attributes.get("style") or "")
        return None

    def _sheet_background(self, node: LexborNode | None) -> str:
        if self._backgrounds is None:
            self._backgrounds = self._sheets.backgrounds()
        return self._backgrounds.get(node.mem_id, "") if node else ""

    def _is_panel(self, attributes: Attributes) -> bool:
        """Whether a control of the page shows the element: a tab, a button, a link that unfolds it."""
        role = attributes.get("role") or ""
        return role == "tabpanel" or (role not in _POPUPS and attributes.get("id") in self._controlled)

    @cached_property
    def _controlled(self) -> frozenset[str]:
        return _controlled(self._markup)

    def _is_main(self, node: LexborNode) -> bool:
        """Whether an element holds most of the page, which shows it by script once it is loaded."""
        return len(node.text()) > _MAIN_SHARE * self._characters

    @cached_property
    def _characters(self) -> int:
        return len(self._page.body.text()) if self._page.body else 0


def _is_closed_popup(attributes: Attributes) -> bool:
    """Whether an element waits to be opened: what is kept from screen readers alone is seen by everybody else."""
    if attributes.get("aria-hidden") != "true":
        return False
    name = f"{attributes.get('class')} {attributes.get('id')}"
    return attributes.get("role") in _POPUPS or _POPUP_NAME.search(name) is not None


def _controlled(markup: str) -> frozenset[str]:
    """The ids of what tabs and buttons of a page show."""
    names = {name for one, other in _TARGET.findall(markup) for name in (one or other).split()}
    if any(mark in markup for mark in _TAB_MARKS):
        names.update(name for _, name in _FRAGMENT.findall(markup))
    return frozenset(names)
