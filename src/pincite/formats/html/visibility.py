"""Decide which elements of a page are left out: those that are not content, and those that a browser does not show."""

import re
from functools import cached_property, lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.formats.html import css
from pincite.formats.html.css import TOGGLED
from pincite.formats.html.events import Attributes
from pincite.formats.html.stylesheets import StyleSheets
from pincite.formats.writing.contrast import WHITE, Colour, is_indistinct
from pincite.model.call import Call

MAX_ANCESTORS = 50
"""Maximum ancestors in which the background of a text is searched."""

# Scripts, navigation, controls and embedded media: none of it is text of the page. `rt` and `rp` are readings above a
# text, which would part its words.
_DROPPED_ELEMENTS = frozenset((
    "script", "style", "noscript", "template", "nav", "footer", "button", "svg", "iframe", "object", "embed",
    "applet", "canvas", "audio", "video", "select", "textarea", "datalist", "head", "title", "meta", "link",
    "base", "map", "noembed", "rt", "rp",
))  # fmt: skip
_DROPPED_ROLES = frozenset(("navigation", "search", "contentinfo", "doc-toc", "doc-pagelist"))
# Marks that documentation generators, MediaWiki and highlighters add around the text.
_DROPPED_CLASSES = frozenset((
    "headerlink", "hideme",
    "navheader", "navfooter", "mw-editsection", "mw-portlet", "catlinks", "printfooter",
    "navbox", "vertical-navbox", "sphinxsidebar", "breadcrumb",
    "breadcrumbs", "navpath", "linenos", "linenodiv", "lineno", "line-numbers-rows", "gutter", "rouge-gutter",
    "mw-jump-link", "katex-html", "ltx_note_mark", "ltx_tag_note",
))  # fmt: skip
# Links from a footnote back to its reference.
_BACK_LINKS = frozenset((
    "footnote-backref", "footnote-back", "footnote-backlink", "data-footnote-backref", "reversefootnote",
    "fn-backref", "mw-cite-backlink", "label", "fn-bracket",
))  # fmt: skip
# Classes of `aside` elements with content; all others are side bars.
_KEPT_ASIDE_CLASSES = frozenset((
    "footnote", "footnote-list", "citation", "citation-list", "admonition", "note", "topic", "callout",
    "system-message", "quote",
))  # fmt: skip
_PERMALINKS = frozenset(("\u00a7", "\u00b6", "#", "\u2693", "\u221e", "\U0001f517", "\uf0c1"))
"""Texts of a link from a heading or a term to itself, as generators write it: `§`, `¶`, `#`, an anchor, a chain."""
_NO_CLASSES: frozenset[str] = frozenset()
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_STYLED_ATTRIBUTES = frozenset(("class", "id"))
"""Attributes by which a style sheet that is not embedded may select an element."""
_POPUPS = frozenset(("dialog", "alertdialog", "menu", "menubar", "listbox", "tooltip"))
_POPUP_NAME = re.compile(r"modal|dialog|popup|overlay|off-?canvas|drawer|lightbox|menu|cookie", re.IGNORECASE)
_MENU_TAGS = frozenset(("ul", "ol", "menu", "dialog", "form"))
_LETTER = re.compile(r"[^\W\d_]")
_TARGET = re.compile(r"(?:aria-controls|data-target|data-bs-target)\s*=\s*(?:[\"']\s*#?([\w:. -]+)|#?([\w:.-]+))")
_FRAGMENT = re.compile(r"href\s*=\s*([\"']?)#([\w:.-]+)")
_TAB_MARKS = ('role="tab"', "role=tab", "data-toggle=", "data-bs-toggle=")
"""Marks of a page whose links open the elements that they point to."""
_MAIN_SHARE = 0.5
"""Share of a page's text above which a hidden element is visible after all: pages that fade in hide it for a moment."""


def is_dropped(tag: str, attributes: Attributes, *, in_note: bool = False) -> bool:
    """Return True if an element is not content: navigation, scripts, controls, marks for the screen alone."""
    if tag in _DROPPED_ELEMENTS:
        return True
    if not attributes:
        return tag == "aside"
    role = attributes.get("role") or ""
    if role in _DROPPED_ROLES:
        return True
    names = classes(attributes)
    if tag == "aside":
        return not (role.startswith(("doc-", "note")) or names & _KEPT_ASIDE_CLASSES)
    if in_note and (role == "doc-backlink" or names & _BACK_LINKS):
        return True
    return not names.isdisjoint(_DROPPED_CLASSES)


def is_permalink(attributes: Attributes, node: LexborNode) -> bool:
    """Return True for a link that only offers its own address: a sign beside a heading or a term."""
    return (attributes.get("href") or "").startswith("#") and node.text().strip("\u200b\ufe0e\ufe0f ") in _PERMALINKS


def classes(attributes: Attributes) -> frozenset[str]:
    """Return the class names of an element."""
    names = attributes.get("class")
    return _split(names) if names else _NO_CLASSES


@lru_cache(maxsize=1024)
def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


class Visibility:
    """The visibility of a page's elements.

    Args:
        page: The page.
        markup: Its source.
        call: Checked for cancellation while its style sheets are applied.

    Attributes:
        markup: Its source.
        concealed: Memory id of each element that style sheets hide → the reason.
    """

    def __init__(self, page: LexborHTMLParser, markup: str, call: Call) -> None:
        self._page = page
        self.markup = markup
        self._sheets = StyleSheets(page, markup, call)
        self._backgrounds: dict[int, str] | None = None
        self.concealed: dict[int, str] = {}
        for styled in self._sheets.styled():
            reason = self._by_style(styled.declarations, styled.node)
            # Content that a control opens, or that holds most of the page, is visible: documentation puts half of its
            # examples into tabs (decision 0010).
            node = styled.node
            if reason in TOGGLED and (
                styled.is_revealed or self._is_main(node) or self._is_unfolded(node) or self._is_panel(node)
            ):
                continue
            if reason:
                self.concealed[node.mem_id] = reason

    def is_content(self, tag: str, node: LexborNode) -> bool:
        """Return True for an element that is dropped by its name, but has content.

        Most of the page may be in its fall-back without scripts, or in its side bar; and `gutter` is the class of line
        numbers, but also of a column with a margin.
        """
        if tag == "noscript":
            return len(node.text()) > _MAIN_SHARE * self._written
        if tag == "aside":
            return self._is_main(node)
        if tag in _DROPPED_ELEMENTS:
            return False
        names = classes(node.attributes)
        return (
            "gutter" in names
            and names.isdisjoint(_DROPPED_CLASSES - {"gutter"})
            and not node.attributes.get("role")
            and _LETTER.search(node.text()) is not None
        )

    def reason(self, tag: str, attributes: Attributes, node: LexborNode) -> str:
        """Return the reason why a browser does not show an element; empty if it does."""
        if self.concealed and (reason := self.concealed.get(node.mem_id)):
            return reason
        if not attributes:
            return "closed dialog" if tag == "dialog" else ""
        # `until-found` is shown by a search in the page (WHATWG HTML, 6.1).
        if "hidden" in attributes and attributes["hidden"] != "until-found" and not self._is_panel(node):
            return "" if self._is_unfolded(node) else "hidden"
        if (tag == "dialog" and "open" not in attributes) or _is_closed_popup(attributes):
            return "closed dialog"
        style = attributes.get("style")
        reason = self._by_style(css.inline(style), node) if style else ""
        is_opened = reason in TOGGLED and (self._is_panel(node) or self._is_unfolded(node))
        return "" if is_opened else reason

    def _by_style(self, declarations: css.Declarations, node: LexborNode) -> str:
        reason = css.concealment(declarations)
        if reason == "clipped away" and node.css_first("math"):
            return ""  # the text of a formula that is drawn as a picture
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
        """Return True if a descendant sets an inherited property to a visible value of its own."""
        for descendant in node.css("[style]"):
            own = css.inline(descendant.attributes.get("style") or "")
            if descendant.mem_id != node.mem_id and prop in own and not css.concealment(own):
                return True
        return self._sheets.is_set_within(node, prop)

    def _is_indistinct(self, declarations: css.Declarations, node: LexborNode) -> bool:
        """Return True if the text is known to have the colour of its background; a page without one is white."""
        if declarations["color"] == css.background(declarations):
            return True
        text, behind = css.colour(declarations["color"]), self._behind(declarations, node)
        return text is not None and behind is not None and is_indistinct(text, behind)

    def _behind(self, declarations: css.Declarations, node: LexborNode) -> Colour | None:
        """The background colour of an element; None if a picture or a style sheet that is not embedded may set it."""
        element: LexborNode | None = node
        for _ in range(MAX_ANCESTORS):
            value = css.background(declarations) or self._sheet_background(element)
            attributes = element.attributes if element else {}
            if value or attributes.get("bgcolor"):
                return css.colour(value or (attributes.get("bgcolor") or "").strip().lower())
            # To lose visible text is the worse mistake: a colour hides only on a background that is certain (decision
            # 0010).
            if attributes.get("background") or (
                self._sheets.has_others and not _STYLED_ATTRIBUTES.isdisjoint(attributes)
            ):
                return None
            element = element.parent if element else None
            if element is None:
                return WHITE
            declarations = css.inline(element.attributes.get("style") or "")
        return None

    def _sheet_background(self, node: LexborNode | None) -> str:
        if self._backgrounds is None:
            self._backgrounds = self._sheets.backgrounds()
        return self._backgrounds.get(node.mem_id, "") if node else ""

    def _is_panel(self, node: LexborNode) -> bool:
        """Return True if a control of the page opens the element: a tab, a button, a link to a chapter."""
        attributes = node.attributes
        role, identity = attributes.get("role") or "", attributes.get("id")
        if identity is None or role == "tabpanel" or role in _POPUPS:
            return role == "tabpanel"
        is_chapter = node.tag == "section" and identity in self._linked and node.css_first(_HEADINGS) is not None
        return is_chapter or identity in self._controlled

    def _is_unfolded(self, node: LexborNode) -> bool:
        """Return True if the element before is, or has, a control that unfolds what follows: a question of a list."""
        name = f"{node.attributes.get('class')} {node.attributes.get('id')}"
        if not self._has_disclosures or node.tag in _MENU_TAGS or _POPUP_NAME.search(name):
            return False
        before = node.prev
        while before is not None and (before.tag or "-")[0] == "-" and not before.text().strip():
            before = before.prev
        if before is None or (before.tag or "-")[0] == "-" or before.css_first("[aria-expanded]") is None:
            return False
        return 2 * sum(len(link.text()) for link in node.css("a")) <= len(node.text())

    @cached_property
    def _has_disclosures(self) -> bool:
        return "aria-expanded" in self.markup

    @cached_property
    def _controlled(self) -> frozenset[str]:
        """The ids of the elements that tabs and buttons open."""
        names = frozenset(name for one, other in _TARGET.findall(self.markup) for name in (one or other).split())
        return names | self._linked if any(mark in self.markup for mark in _TAB_MARKS) else names

    @cached_property
    def _linked(self) -> frozenset[str]:
        """The ids that links of the page point to."""
        return frozenset(name for _, name in _FRAGMENT.findall(self.markup))

    def _is_main(self, node: LexborNode) -> bool:
        """Return True if an element contains most of the text, which a script shows once the page is loaded."""
        return len(node.text()) > _MAIN_SHARE * self._characters

    @cached_property
    def _written(self) -> int:
        """Length of the page's text, its fall-back without scripts included and its scripts not."""
        scripts = sum(len(node.text()) for node in self._page.css("body script, body style"))
        return self._characters - scripts

    @cached_property
    def _characters(self) -> int:
        return len(self._page.body.text()) if self._page.body else 0


def _is_closed_popup(attributes: Attributes) -> bool:
    """Return True for a closed dialog or menu. `aria-hidden` alone is no proof: it hides from screen readers only."""
    if attributes.get("aria-hidden") != "true":
        return False
    name = f"{attributes.get('class')} {attributes.get('id')}"
    return attributes.get("role") in _POPUPS or _POPUP_NAME.search(name) is not None
