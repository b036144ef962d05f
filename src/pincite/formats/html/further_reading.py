"""Recognise links to other articles inside an article: `Read more: …`, or `Related articles` above a list."""

import re
from collections.abc import Sequence

from pincite.formats.html.elements import HEADING_TAGS, Element
from pincite.formats.html.events import Event

MAX_LABEL_CHARACTERS = 60
"""Length of a heading over such links; a longer one is a title of its own."""

MAX_LINE_CHARACTERS = 200
"""Length of a label and one link; a longer line is a paragraph of the article."""

MIN_LINE_LINK_SHARE = 0.6
"""Share of such a line that is the link: the rest is its label."""

_LABEL_TAGS = HEADING_TAGS | {"p", "div", "header"}
_LINE_TAGS = (HEADING_TAGS - {"h1"}) | {"p", "blockquote"}
_SPACE = re.compile(r"\s+")
_LABEL = re.compile(
    r"(?:"
    # English
    r"read (?:more|also|next|on)|see also|also (?:read|see)|more (?:on|from|about|stories|news)"
    r"|you (?:may|might) also like|recommended(?: for you| reading)?"
    r"|related(?: (?:articles?|posts?|stories|topics|tutorials|content|news|links|reading))?:?$"
    # German
    r"|mehr (?:zum thema|themen|dazu|aus|von|auf|artikel|infos)|(?:lesen sie|lies) auch|auch (?:interessant|auf)"
    r"|(?:zum )?weiterlesen|weitere (?:artikel|beiträge|themen|meldungen|nachrichten|informationen)"
    r"|(?:das|diese).{0,20} (?:könnten?|dürften?) (?:sie|dich|euch|dir) (?:auch|ebenfalls) (?:interessieren|gefallen)"
    # French
    r"|(?:à )?lire aussi|(?:à )?voir aussi|vous aimerez aussi|sur le même (?:sujet|thème)|pour aller plus loin"
    # Spanish, Portuguese, Italian
    r"|(?:lea|lee|vea|mira|mire|ver) (?:también|además|más)|(?:mira|mire)(?=:)|leer más|también puede leer"
    r"|(?:le|te) puede interesar|noticias relacionadas|nota relacionada|(?:leia|veja) (?:também|mais)"
    r"|você (?:também )?pode gostar|leggi anche|potrebbe(?:ro)? interessarti"
    # Dutch, Polish, Scandinavian languages, Russian
    r"|lees ook|meer over|(?:czytaj|zobacz) (?:też|także|więcej)|dowiedz się więcej|läs (?:också|mer)|(?:les|læs) også"
    r"|читайте также"
    r")(?:[ :].*)?",
    re.IGNORECASE,
)


def is_label(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a heading or a short line that introduces links to other articles."""
    if element.tag not in _LABEL_TAGS or not 0 < element.characters <= MAX_LABEL_CHARACTERS or element.linked:
        return False
    return _LABEL.fullmatch(_text(element, events).rstrip(":.…")) is not None


def is_line_of_link(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line of its own that is a label and a link: `Read more: Another article`."""
    linked, characters = element.linked, element.characters
    if element.tag not in _LINE_TAGS or not MIN_LINE_LINK_SHARE * characters <= linked < characters:
        return False
    text = _text(element, events) if characters <= MAX_LINE_CHARACTERS else ""
    label, colon, _ = text.partition(":")
    return bool(colon) and _LABEL.fullmatch(f"{label}:") is not None


def _text(element: Element, events: Sequence[Event]) -> str:
    runs = (event for event in events[element.start : element.end] if isinstance(event, str))
    return _SPACE.sub(" ", "".join(runs)).lstrip(" [(→►»")
