"""Show the content of declarative shadow roots, which a parser without scripts keeps out of the page's tree."""

import re

_TAG = re.compile(r"<(/?)template\b((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.IGNORECASE)
_MODE = re.compile(r"\bshadowroot(?:mode)?\s*=", re.IGNORECASE)
"""The attribute of such a template (WHATWG HTML, 4.12.3); its name was `shadowroot` until 2023."""

_STYLE = re.compile(r"<style\b.*?(?:</style\s*>|\Z)", re.IGNORECASE | re.DOTALL)
"""A style sheet without an end takes the rest, as in a browser: a search from each start would take quadratic time."""


def opened(markup: str) -> str:
    """Return the markup with each template of a shadow root as an element of its page.

    Style sheets in it are left out: they apply to the shadow root alone, and would hide text of the page around it.
    What the page puts into a slot follows the content of the shadow root.
    """
    if _MODE.search(markup) is None:
        return markup
    parts: list[str] = []
    shown: list[bool] = []
    position = 0
    for tag in _TAG.finditer(markup):
        text = markup[position : tag.start()]
        parts.append(_STYLE.sub("", text) if any(shown) else text)
        position = tag.end()
        if not tag[1]:
            shown.append(_MODE.search(tag[2]) is not None)
            parts.append("<div>" if shown[-1] else tag[0])
        else:
            parts.append("</div>" if shown and shown.pop() else tag[0])
    return "".join(parts) + markup[position:]
