"""Recognise lines that a site adds to each of its texts: keywords, paths, offers of newsletters, copyright, errors."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.html.elements import HEADING_TAGS, Element, text_of
from pincite.formats.html.events import Break, End, Event, Start
from pincite.formats.html.interface_lines import EDGE_SIGNS

MAX_LINE_CHARACTERS = 200
"""Length of a path, of keywords, or of an invitation to follow the site."""

MAX_OFFER_CHARACTERS, MAX_APPEAL_CHARACTERS = 400, 600
"""Length of an offer of a newsletter or of the message of a program, and of an appeal to readers."""

MIN_LINK_SHARE = 0.7
"""Share of links in the keywords of a text: `Tags: a, b, c`."""

_INLINE = frozenset(("a", "sup", "sub", "q", "del", "s", "strike", "dfn", "br", "img"))
_TAGS = HEADING_TAGS | {"p", "div", "li", "ul", "ol", "blockquote", "center", "section", "aside", "header", "footer"}
_NETWORK = (
    r"(?:facebook|fb|twitter|instagram|youtube|linkedin|xing|pinterest|whatsapp|telegram|tiktok|flipboard|mastodon"
    r"|bluesky|google(?: news|\+| plus)|rss|social media)"
)
_KEYWORDS = re.compile(
    r"(?:tags?|tagged(?: with| as)?|categor(?:y|ies)|filed under|posted (?:in|under)|topics?|labels?|keywords?"
    r"|kategorien?|schlagw[öo]rte?r?|schlagworte|stichw[öo]rte?r?|themen|(?:abgelegt|veröffentlicht) (?:in|unter)"
    r"|étiquettes?|étiqueté|mots[- ]clés|catégories?|classé (?:dans|sous)|publié dans|etiquetas?|categor[ií]as?"
    r"|archivado en|publicado en|marcadores|archiviato in|categori[ae]|categorieën|trefwoorden|geplaatst in|tagi"
    r"|kategorie)(?: ?: ?| )(?P<words>.+)",
    re.IGNORECASE,
)
"""How the line of an article's keywords begins, which are links."""

_PATH = re.compile(
    r"(?:(?:you are here|sie (?:sind|befinden sich) hier|du bist hier|vous êtes ici|estás aquí|usted está aquí"
    r"|você está aqui|sei qui|ti trovi qui|je bent hier|u bent hier|jesteś tutaj)\b.*"
    r"|(?:home|homepage|home page|startseite|start|accueil|inicio|início|hem|strona główna) ?[/|»\u203a>→].*)",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(
    r"(?:(?:©|\(c\)|copyright\b).{0,100}|.{0,60}[.,|–-] )?"
    r"(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados"
    r"|todos os direitos reservados|tutti i diritti riservati|alle rechten voorbehouden)\b.{0,60}"
    r"|(?:copyright )?(?:©|\(c\)) ?(?:copyright )?(?:19|20)\d\d(?: ?[-–] ?\d{2,4})?\b.{0,60}",
    re.IGNORECASE,
)
_FOLLOW = re.compile(
    rf"(?:please )?(?:follow|find|like|join|connect with|visit|subscribe to) .{{0,80}}\b(?:on|at|via|to) .{{0,20}}"
    rf"{_NETWORK}\b.*"
    rf"|(?:folge?n?t?|besuche?n?t?|liket?|abonnieret?n?|findet?) .{{0,80}}\b(?:auf|bei|über) .{{0,20}}{_NETWORK}\b.*"
    rf"|(?:suivez|retrouvez|rejoignez)[ -].{{0,80}}\bsur .{{0,20}}{_NETWORK}\b.*"
    rf"|[¡]?(?:síg[ua]\w+|siga\w*|curta|mira|visita|suscríbete|únete|acompanhe|inscreva-se) .{{0,80}}{_NETWORK}\b.*"
    rf"|(?:seguici|seguimi|volg ons|śledź|polub) .{{0,60}}{_NETWORK}\b.*",
    re.IGNORECASE,
)
"""How a line begins that invites to follow the site elsewhere."""

_SUBSCRIPTION = re.compile(
    r"newsletter|subscri|sign-?up|abonn|abonnement|mailchi|list-manage|inscription", re.IGNORECASE
)
"""What the address of a link says that subscribes to a newsletter."""

_NEWSLETTER = re.compile(r"\bnewsletter|\bmailing ?list|\binbox\b|\bposteingang\b|\bboletín", re.IGNORECASE)
_APPEAL = re.compile(
    r"(?:(?:if you|did you|have you) (?:like|liked|enjoy|enjoyed|found)\b.{0,40}\b(?:this|our|what|article|post|story)"
    r"|(?:wenn|falls|sofern) (?:ihnen|dir|euch) .{0,60}(?:gefällt|gefallen)"
    r"|(?:ihnen|dir|euch) (?:hat|gefällt) (?:der|dieser|unser|die|diese|unsere) \w+"
    r"|(?:gefällt|gefiel) (?:ihnen|dir|euch)"
    r"|hat (?:ihnen|dir|euch) (?:der|dieser|unser|die|diese) \w+ gefallen|vous avez (?:aimé|apprécié)"
    r"|(?:cet |l[’'])article vous a plu|¿?(?:te|le) (?:ha )?gustad?ó? (?:este|el|la|esta)"
    r"|gostou (?:deste?|desta|do|da)|ti è piaciut[oa])"
    r".{0,400}(?:spende|unterstütz|abonn|newsletter|folge|teile?n?\b|kauf|donat|support|subscri|follow|share|patreon"
    r"|paypal|soutenir|soutenez|partage|comparte|apoy|suscr|compartilh|assin|condivid|sosten)",
    re.IGNORECASE,
)
"""How a paragraph begins that asks its readers for help, and what it asks for."""

_MESSAGE = re.compile(
    r"(?:php )?(?:warning|notice|fatal error|deprecated|parse error|strict standards): .{1,300}"
    r" in /\S+\.\w+(?::\d+| on line \d+).*",
    re.IGNORECASE,
)
"""What a server writes when its program fails."""


def is_site_line(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line, or a short paragraph, that a site adds to each of its texts."""
    if element.tag not in _TAGS or not 0 < element.characters <= 2 * MAX_APPEAL_CHARACTERS:
        return False
    text = text_of(element, events).strip(EDGE_SIGNS)
    if len(text) > MAX_APPEAL_CHARACTERS:
        return False
    is_offer = _APPEAL.match(text) is not None or _offers_newsletter(element, text, events)
    if is_offer and not _has_several_texts(element, events):
        return True
    if len(text) <= MAX_OFFER_CHARACTERS and _MESSAGE.fullmatch(text):
        return True
    return len(text) <= MAX_LINE_CHARACTERS and _is_short_line(element, text)


def _has_several_texts(element: Element, events: Sequence[Event]) -> bool:
    """Return True for an element around several paragraphs, some of which may be the article's."""
    texts = 0
    is_new = True
    for event in events[element.start : element.end]:
        if isinstance(event, str):
            texts += is_new and not event.isspace()
            is_new = is_new and event.isspace()
        elif isinstance(event, Break) or (isinstance(event, Start | End) and event.name not in _INLINE):
            is_new = True
    return texts > 1


def _offers_newsletter(element: Element, text: str, events: Sequence[Event]) -> bool:
    return (
        element.linked > 0
        and len(text) <= MAX_OFFER_CHARACTERS
        and _NEWSLETTER.search(text) is not None
        and any(map(_SUBSCRIPTION.search, _addresses(element, events)))
    )


def is_copyright_line(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line that says who has the rights, which a standard has at its beginning."""
    if element.tag not in _TAGS or not 0 < element.characters <= 2 * MAX_LINE_CHARACTERS:
        return False
    text = text_of(element, events).strip(EDGE_SIGNS)
    return len(text) <= MAX_LINE_CHARACTERS and _COPYRIGHT.fullmatch(text) is not None


def _is_short_line(element: Element, text: str) -> bool:
    if not element.linked:
        return False
    if (keywords := _KEYWORDS.fullmatch(text)) and element.linked >= MIN_LINK_SHARE * len(keywords["words"]):
        return True
    return any(pattern.fullmatch(text) for pattern in (_PATH, _FOLLOW))


def _addresses(element: Element, events: Sequence[Event]) -> Iterator[str]:
    for event in events[element.start : element.end]:
        if isinstance(event, Start) and event.name == "a":
            yield event.attributes.get("href") or ""
