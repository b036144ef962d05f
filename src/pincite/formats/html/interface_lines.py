"""Recognise lines of a page's interface within its text: marks of advertisements, buttons, notices of cookies, ads."""

import re
from collections.abc import Sequence

from pincite.formats.html.elements import HEADING_TAGS, Element, text_of
from pincite.formats.html.events import Event

MAX_LINE_CHARACTERS = 80
"""Length of a button or a mark; a longer line is a text."""

MAX_NOTICE_CHARACTERS = 800
"""Length of a notice of cookies; a longer text is about them."""

EDGE_SIGNS = " :.…-–—|[](){}*•»«\u203a\u2039→×+!<>"
"""Signs around the words of a button or a line, angle quotation marks among them."""

_TAGS = HEADING_TAGS | {"p", "div", "li", "blockquote", "center", "section", "aside"}
_ADVERTISEMENT = (
    r"advert(?:isement|ising)?s?|anzeigen?|werbung|publicit[éà]|pubblicità|publicidade?|reklam[ae]|advertentie"
    r"|iklan|annons|annonce|mainos|hirdetés|реклама|διαφήμιση|quảng cáo|إعلان|広告|广告|廣告|광고"
    r"|anzeige (?:symplr|google|taboola)"
    r"|advertisement ?[-–—:] ?continue reading below|(?:the )?(?:story|article) continues (?:after|below)(?: \w+)*"
)
_SCRIPT = (
    r"(?:loading|wird geladen|lade|chargement|cargando|carregando|caricamento)(?: \w+)?"
    r"|this (?:slideshow|page|video|site) requires javascript(?: .*)?|please enable javascript.*"
    r"|to view this content, javascript must be enabled.*|get adobe flash player"
    r"|your browser does not support .{0,40}|(?:dein|ihr) browser (?:kann|unterstützt) .{0,40} nicht .{0,20}"
    r"|votre navigateur ne (?:supporte|prend) pas .{0,40}"
    r"|(?:diese[rs]? \w+ (?:benötigt|erfordert)|bitte (?:aktivieren sie|aktiviere)) javascript.*"
)
"""What a page says until its script runs, or where none does."""

_BUTTON = (
    r"(?:back )?to (?:the )?top|(?:zurück )?(?:nach|zum) (?:oben|seitenanfang|anfang)|haut de page|retour en haut"
    r"|volver arriba|voltar(?: ao topo)?|torna su|naar boven|go back|zurück(?: zur (?:übersicht|startseite))?"
    r"|(?:print|email|save|share|download)(?: this)? (?:page|article|story|post)|(?:seite|artikel|beitrag) drucken"
    r"|imprimer(?: (?:cette page|l[’']article))?|drucken|teilen|teilen mit|share|share this|partager|compartir"
    r"|compartilhar|condividi|tweet|pin it|gefällt mir|like this|permal(?:ink|ien)(?: https?://\S+)?|close|schließen|fermer"
    r"|cerrar|fechar|chiudi|skip to (?:main )?content|zum inhalt springen|show more|mehr anzeigen|read aloud"
    r"|vorlesen|weiterempfehlen|versenden|(?:hide|toggle|view|close) caption|enlarge(?: (?:this )?image)?"
    r"|(?:view|show|read|post|all) (?:all )?comments|menü schließen|close menu|fermer le menu|cerrar menú"
    r"|(?:seite|artikel|beitrag) (?:teilen|versenden|merken|weiterempfehlen|kommentieren)|imprimer imprimer .*"
    r"|show less|weniger anzeigen|click to (?:enlarge|zoom)|zum vergrößern (?:an)?klicken"
    r"|vollbild|full ?screen|plein écran|pantalla completa|tela cheia|schermo intero"
    r"|(?:bild|foto|photo|image|imagen|imagem|immagine|slide|picture) \d+ (?:von|of|de|sur|di|van) \d+"
    r"|(?:externer|externe|empfohlener|empfohlene)r? (?:inhalt|redaktioneller inhalt)"
    r"|(?:external|recommended|embedded) content|contenu (?:externe|intégré)|contenido externo|contenuto esterno"
    r"|(?:video|inhalt|karte|tweet|beitrag|post|formular) (?:laden|anzeigen|entsperren)"
    r"|load (?:video|content|tweet|map|post)"
    r"|(?:youtube|vimeo|twitter|facebook|instagram|google maps|spotify|soundcloud) immer (?:ent|an)\w+"
    r"|always unblock \w+"
    r"|\d+[ -]min(?:ute)?s? read|lesezeit:? (?:ca\. )?\d+ min\w*|\d+ min(?:uten)? lesezeit|temps de lecture.{0,20}"
    r"|(?:druck|print)(?:version|ansicht)|print(?:er)?(?:-| )?(?:friendly )?version|versión (?:impresa|para imprimir)"
    r"|version imprimable|versão para impressão|versione stampabile|zum kalender hinzufügen|add to calendar|caption"
    r"|bereits (?:abonnent|kunde|registriert|mitglied).{0,40}|already an? (?:subscriber|member).{0,40}"
    r"|déjà abonnée?.{0,40}|¿ya (?:eres|es) suscriptor.{0,40}|.{0,30}\b(?:jederzeit|monatlich) kündbar"
    r"|cancel (?:any ?time|at any time)|jetzt weiterlesen|(?:jetzt )?diesen artikel (?:weiter)?lesen"
)
_ACCOUNT = (
    r"(?:sign|log) ?(?:in|out|up)(?: (?:here|now))?|login|register(?: now)?|subscribe(?: now)?|my account"
    r"|(?:jetzt )?(?:einloggen|anmelden|abmelden|registrieren|abonnieren|bestellen|kaufen|testen|spenden)"
    r"|mein konto|(?:se |me )?(?:dé)?connecter|connexion|s[’']inscrire|s[’']abonner|iniciar sesión|regístrate"
    r"|registrarse|suscríbete|suscribirse|fazer login|cadastre-se|assine(?: já)?|accedi|registrati|abbonati|inloggen"
    r"|aanmelden|zaloguj(?: się)?|zarejestruj(?: się)?|add to (?:cart|basket)|in den warenkorb|ajouter au panier"
    r"|(?:read|learn|find out|discover) more|mehr (?:erfahren|lesen|dazu)|weiterlesen|lire la suite|en savoir plus"
    r"|(?:leer|saber|ver) más|seguir leyendo|(?:leia|saiba|ver) mais|leggi (?:tutto|di più)|scopri di più|lees meer"
    r"|(?:apply|book|buy|order|shop|download) now|jetzt (?:bewerben|buchen|herunterladen|spenden)"
    r"|(?:read|see|view) (?:more|all) in .{1,30}|(?:nächste|vorherige|vorige)[rs]? (?:seite|artikel|beitrag|folge)"
    r"|(?:next|prev|previous|older|newer)(?: (?:page|posts?|article|story|episode|entries))?"
    r"|(?:page |article )?(?:suivante?|précédente?)|(?:página |artículo )?(?:siguiente|anterior)"
    r"|(?:post |quick )?reply|(?:new|start a) (?:topic|thread)|antworten|neues thema|répondre|responder|rispondi"
    r"|czytaj więcej|follow|folgen|suivre|seguir|segui|volgen"
)
"""Buttons whose words may be a heading, too, or an item of a plain list."""

_DISCLOSURE = re.compile(
    r"(?:this|our) (?:post|article|page|story|content) (?:may )?(?:contains?|includes?)"
    r" (?:references to products|(?:some )?(?:affiliate|sponsored|referral|advertising))"
    r"|(?:dieser?|der) (?:\w+)?(?:artikel|beitrag|text|seite|post) (?:enthält|beinhaltet)"
    r" (?:unbezahlte |bezahlte )?(?:werbung|anzeigen|affiliate|provisions|werbe)"
    r"|\*? ?(?:unbezahlte |bezahlte )?(?:werbung|anzeige) ?[.:|–-].{0,100}$"
    r"|(?:get|receive) (?:the )?(?:latest|breaking) (?:\w+ )?news .{0,60}(?:inbox|phone|app)\b"
    r"|(?:cet article|ce (?:billet|texte)) contient des (?:liens affiliés|partenariats)"
    r"|este (?:artículo|artigo|post) (?:contiene|contém) (?:enlaces|links) (?:de )?afiliad",
    re.IGNORECASE,
)
"""How a paragraph begins that says who paid for the page, or offers it elsewhere."""

_LINE = re.compile(f"{_ADVERTISEMENT}|{_SCRIPT}|{_BUTTON}", re.IGNORECASE)
_ACCOUNT_LINE = re.compile(_ACCOUNT, re.IGNORECASE)
_NOTICE = re.compile(
    r"(?:this|our) (?:web)?sites? uses? cookies|we (?:and our partners )?use (?:[\w-]+ ){0,4}cookies"
    r"|(?:diese|unsere) (?:web|internet)?(?:seite|site) (?:verwendet|nutzt|benutzt|setzt) (?:\w+ )?cookies"
    r"|wir (?:verwenden|nutzen|benutzen|setzen) (?:[\w-]+ ){0,4}cookies|um (?:unsere|die|diese) \w+ .{0,80}cookies"
    r"|nous utilisons (?:des|les) cookies|ce site (?:web )?utilise des cookies|en poursuivant votre navigation"
    r"|(?:utilizamos|usamos) cookies|este (?:sitio|site)(?: web)? (?:utiliza|usa) cookies"
    r"|(?:questo|il nostro) sito (?:web )?(?:utilizza|usa|fa uso di) (?:i )?cookies?|utilizziamo (?:i )?cookies?"
    r"|deze (?:web)?site (?:maakt gebruik van|gebruikt) cookies|wij gebruiken cookies"
    r"|(?:ta|nasza) strona .{0,20}cookies"
    r"|(?:um|zum schutz) .{0,60}(?:persönlichen? daten|privatsphäre) .{0,80}(?:blockiert|deaktiviert|nicht geladen)"
    r"|(?:an dieser stelle|hier) (?:finden sie|findest du|befindet sich|steht|wird) .{0,60}extern\w* inhalt"
    r"|(?:ich bin (?:damit )?einverstanden|mit dem (?:laden|klick|aufruf)|beim (?:laden|abspielen)"
    r"|durch (?:das laden|klick)) .{0,100}(?:personenbezogenen? daten|datenschutzerklärung|extern\w* inhalte?)"
    r"|by (?:loading|clicking|playing) .{0,60}(?:you (?:agree|accept|consent)).{0,60}privacy"
    r"|(?:this|the) (?:content|video|post|tweet|map) is (?:blocked|hosted by|provided by)"
    r" .{0,120}(?:cookies?|privacy|consent)"
    r"|en (?:cliquant|chargeant|lisant) .{0,80}politique de confidentialité",
    re.IGNORECASE,
)


def is_interface_line(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line that is a button or marks an advertisement, and for a notice of cookies or of ads."""
    if element.tag not in _TAGS or not 0 < element.characters <= MAX_NOTICE_CHARACTERS:
        return False
    text = text_of(element, events).strip(EDGE_SIGNS)
    if len(text) <= MAX_LINE_CHARACTERS:
        is_label = element.tag in HEADING_TAGS or (element.tag == "li" and not element.linked)
        if _LINE.fullmatch(text) or (not is_label and _ACCOUNT_LINE.fullmatch(text)):
            return True
    return any(notice.match(text) is not None for notice in (_NOTICE, _DISCLOSURE))
