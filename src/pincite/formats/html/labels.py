"""Part labels that style sheets set apart from their text: numbers of sections, of list items, of references."""

import re

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes

MAX_LABEL_CHARACTERS = 30
"""Length of a label: `Section 12`, `Part XVIII`, `[Knu97]`."""

_NAMES = re.compile(
    r"(?:[a-z\d](?:No|Num|Number|Label|Tag)|(?:^|[-_ ])(?:no|num|nr|number|label|tag|secno))(?=$|[-_ ])"
)
_MARKED = re.compile(r"[)\].:]")


def is_parted(attributes: Attributes, node: LexborNode) -> bool:
    """Return True for a label that is followed by the element of its text without white space.

    `(a)open` of a legal act is written so, and `[1]A. Author`: a style sheet sets a distance between the two. What is
    followed by a number or a sign is none: `1` and `.99` of a price.
    """
    following = node.next
    if following is None or (following.tag or "-")[0] == "-" or not _NAMES.search(attributes.get("class") or ""):
        return False
    label, text = node.text(), following.text()
    if not label.strip() or len(label) > MAX_LABEL_CHARACTERS or not text or label[-1].isspace():
        return False
    return text[0].isupper() or (_MARKED.match(label[-1]) is not None and text[0].isalpha())
