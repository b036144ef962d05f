"""Recognise by their headings what follows an article: comments, an author's portrait, sharing, newsletters."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.formats.html.elements import HEADING_TAGS, Element, TextSums, text_of
from pincite.formats.html.events import Event
from pincite.formats.html.surroundings import MIN_COMMENTED_PROSE

MAX_LABEL_CHARACTERS = 80
"""Length of a heading over such a section; a longer one is a title of its own."""

MIN_SHARE_BEFORE = 0.5
"""Share of the page's prose that is before such a section."""

_LABEL_TAGS = HEADING_TAGS | {"p", "div", "header", "legend", "summary"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of section after an article.

    Attributes:
        label: What its heading says, as a whole.
        max_prose_share: Share of the page's prose above which the heading is no proof.
        has_links: True if the heading is no proof without links below it.
        is_last: True if nothing of the article follows its heading.
        min_prose_before: Prose before it that is enough, even if it is less than half of the page's.
    """

    label: re.Pattern[str]
    max_prose_share: float
    has_links: bool = False
    is_last: bool = False
    min_prose_before: float = math.inf


def _labels(*labels: str) -> re.Pattern[str]:
    return re.compile("|".join(labels), re.IGNORECASE)


# Each in English, German, French, Spanish, Portuguese, Italian, Dutch and Polish, as far as there is a fixed phrase.
_RELATED = _labels(
    r"(?:related|recommended|similar) (?:articles?|posts?|stories|tutorials|content|news|videos|topics)(?: .*)?",
    r"you (?:may|might) also like.*",
    r"(?:ähnliche|verwandte|meistgelesene) (?:artikel|beiträge|themen|meldungen|nachrichten|news|videos)(?: .*)?",
    r"(?:das|diese).{0,20} (?:könnten?|dürften?) (?:sie|dich|euch|dir) (?:auch|ebenfalls) (?:interessieren|gefallen).*",
    r"vous aimerez aussi.*|(?:à )?(?:lire|voir) aussi|sur le même (?:sujet|thème)",
    r"(?:le|te) puede interesar.*|(?:noticias|notícias|artículos|artigos) relacionad[oa]s",
    r"(?:leia|veja) também|você (?:também )?pode gostar.*|leggi anche|potrebbe(?:ro)? interessart[ie].*",
    r"lees ook|gerelateerde artikelen|(?:czytaj|zobacz) (?:też|także|więcej)",
)
_COMMENTS = _labels(
    r"1 (?:comment|kommentar|commentaire|comentario|comentário|commento|reactie)",
    r"(?:\d+ |no |keine |aucun |sin |nessun )?"
    r"(?:comments|kommentare|commentaires|comentarios|comentários|commenti|reacties)(?: ?\(?\d+\)?)?(?: yet)?",
    r"\d+ (?:responses?|replies|thoughts?|antworten|reacties|réponses?) (?:to|on|zu|auf|op|à) .*",
    r"(?:leave|post|add|write) (?:a|your) (?:reply|comment|response)",
    r"comments? (?:are|is) closed.*|join the (?:conversation|discussion)",
    r"(?:einen |ihren |deinen )?kommentare? (?:schreiben|verfassen|hinterlassen|abgeben|hinzufügen|deaktiviert)",
    r"(?:schreiben? sie|schreibe?|hinterlassen sie|hinterlasse?) (?:uns )?(?:einen?|ihren|deinen) "
    r"(?:kommentar|antwort)(?: .*)?",
    r"(?:die )?kommentare? (?:sind |ist )?geschlossen|leserkommentare",
    r"(?:laisser|ajouter|poster|écrire) un commentaire|répondre",
    r"dejar? (?:un|tu|una) (?:comentario|respuesta)|deixe (?:um|o seu|uma) (?:comentário|resposta)",
    r"lascia un commento|(?:plaats|geef|laat) een reactie(?: achter)?|komentarze|dodaj komentarz",
)
_AUTHOR = _labels(
    r"about (?:the )?authors?|über (?:den|die) autor(?:in|en|innen)?|autor(?:in)?|authors?",
    r"à propos de l[’']auteur(?:e|rice)?|sobre (?:el|la|o|a|os|las|los) autora?e?s?",
    r"(?:informazioni )?sull[’']autore|l[’']autore|over de auteur|o autorze",
)
_NEWSLETTER = _labels(
    r"(?:our |unser |zum |zur )?newsletter(?:[ -]?(?:anmeldung|abonnieren|bestellen|signup|sign-up))?",
    r"(?:subscribe|sign up)(?: now| today)?(?: (?:to|for) .*)?|(?:get|never miss) .* (?:inbox|newsletter|updates?)",
    r"(?:abonnieren?|abonnieren sie) .*newsletter.*|(?:inscrivez|abonnez)-vous.*|suscríbete.*|assine .*newsletter.*",
    r"iscriviti.*|(?:meld je aan|schrijf je in).*",
)
_SHARING = _labels(
    r"share(?: (?:this|on|via|with|it)(?: .*)?)?",
    r"(?:(?:diesen )?(?:artikel|beitrag)|(?:diese )?seite)? ?teilen(?: (?:mit|auf|via)(?: .*)?)?",
    r"teile (?:diesen|den) (?:artikel|beitrag)",
    r"partagez?(?:r)?(?: (?:cet|l[’']|sur|cette).*)?|comparti[lr]?h?(?:e|ar)?(?: .*)?|condividi(?: .*)?|delen",
    r"(?:follow us|folgen? sie uns|folge uns|suivez-nous|síguenos|siga-nos|seguici|volg ons)(?: .*)?",
)
_KINDS = (
    _Kind(_RELATED, 0.2, has_links=True),
    _Kind(_COMMENTS, 0.6, is_last=True),
    _Kind(_AUTHOR, 0.3),
    _Kind(_NEWSLETTER, 0.1),
    _Kind(_SHARING, 0.05),
)

_NAMED_COMMENTS = _Kind(_COMMENTS, 0.6, is_last=True, min_prose_before=MIN_COMMENTED_PROSE)
_COMMENTS_IDS = frozenset((
    "comments", "comments-title", "respond", "reply-title", "disqus_thread", "kommentare", "commentaires",
    "comentarios",
))  # fmt: skip
"""Ids of headings over comments that are link targets of every blog of a kind, whatever the headings say."""


def closing_sections(scope: Sequence[Element], events: Sequence[Event], sums: TextSums, root: Element) -> set[Element]:
    """Return the elements after an article that begin with a heading which names them as none of it.

    Args:
        scope: The elements of the page that are not left out yet, in document order.
        events: The events of the page.
        sums: Their text.
        root: The container of the content, which is not in the scope.
    """
    prose = sums.prose(root.start, root.end)
    found = set[Element]()
    ends: dict[Element | None, int] = {}
    for label in scope:
        kind = _kind_of(label, events)
        if kind is None or sums.prose(root.start, label.start) < min(kind.min_prose_before, MIN_SHARE_BEFORE * prose):
            continue
        most = kind.max_prose_share * prose
        section = _section_of(label, sums, most, root)
        if kind.has_links and not section.linked:
            continue
        found.add(section)
        part = section.parent
        if kind.is_last and part is not None and sums.prose(section.end, part.end) <= most:
            ends.setdefault(part, section.end)
    if ends:
        found.update(one for one in scope if one.parent in ends and one.start >= ends[one.parent])
    return found


def _section_of(label: Element, sums: TextSums, max_prose: float, root: Element) -> Element:
    """Return the largest element with no more than some prose that begins with a label."""
    section = label
    while (outer := section.parent) is not None and outer is not root and outer.prose <= max_prose:
        if sums.has_text(outer.start, label.start):
            break
        section = outer
    return section


def _kind_of(element: Element, events: Sequence[Event]) -> _Kind | None:
    """Return the kind of section that begins with an element: a heading, or a short line; None for any other."""
    if element.tag in HEADING_TAGS and (element.attributes.get("id") or "").lower() in _COMMENTS_IDS:
        return _NAMED_COMMENTS
    if element.tag not in _LABEL_TAGS or not 0 < element.characters <= MAX_LABEL_CHARACTERS:
        return None
    text = text_of(element, events).strip(" :.…!?(")
    return next((kind for kind in _KINDS if kind.label.fullmatch(text)), None)
