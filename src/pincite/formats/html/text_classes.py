"""Find the classes of the text itself, which would name it as what surrounds an article."""

import re
from collections.abc import Iterable, Sequence

from pincite.formats.html.elements import Element
from pincite.formats.html.surroundings import is_ambiguous

MAX_NAMED_TEXT_SHARE = 0.3
"""Share of the prose in elements of one class above which that class is no proof that they surround the text."""

MIN_LEAD_PROSE = 60
"""Characters of prose of an element called a lead, an excerpt …"""

LEAD_NAMES = re.compile(
    r"lead|teaser|excerpt|intro|standfirst|subtit|sottotitol|untertitel|abstract|summary|chap(?:o|eau)|entradilla"
    r"|bajada|sumario|sommario|vorspann|anrei(?:ss|ß)er|key-?points|takeaways",
    re.IGNORECASE,
)


def text_classes(scope: Iterable[Element], prose: int) -> set[str]:
    """Return the class attributes of parts of an article whose names are no proof that they surround it.

    They are of paragraphs with much of the prose (`paywall`), of other unlinked parts with much of it whose names
    articles use for themselves (`teaser` in a gallery), and of a single teaser: the lead.

    Args:
        scope: The elements of the page.
        prose: Length of their prose.
    """
    groups: dict[str, list[Element]] = {}
    for element in scope:
        if names := element.attributes.get("class"):
            groups.setdefault(names, []).append(element)
    return {names for names, group in groups.items() if _is_text(names, group, MAX_NAMED_TEXT_SHARE * prose)}


def _is_text(names: str, group: Sequence[Element], much: float) -> bool:
    if sum(element.prose for element in group if element.tag == "p") > much:
        return True
    if not is_ambiguous(names) or any(element.linked for element in group):
        return False
    prose = sum(element.prose for element in group)
    return prose > much or (len(group) == 1 and prose >= MIN_LEAD_PROSE and LEAD_NAMES.search(names) is not None)
