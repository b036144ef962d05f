"""Documents in German, French and Spanish for the eighth set, drawn from words of the language by a seed."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from printed_sources import Block, table_of

_GERMAN = (
    "Abschluss Anlage Antrag Aufsicht Behörde Bericht Bescheid Betrieb Darlehen Einkauf Ergebnis Erlöse Frist "
    "Förderung Gebühr Genehmigung Geräte Gesellschaft Größe Haushalt Kosten Küste Leistung Lieferung Maßnahme "
    "Messung Netz Planung Prüfung Rechnung Rückstellung Satzung Straße Umsatz Übersicht Verfahren Vermögen "
    "Versorgung Vertrag Wärme Zahlung Zuständigkeit ausgewiesen beantragt geprüft gültig jährlich örtlich"
)
_FRENCH = (
    "accord achat actif année article autorité bénéfice budget charge comité compte contrôle décision demande "
    "dépense données délai emploi énergie engagement équipement étude exercice facture fonds garantie hôpital "
    "impôt indemnité marché mesure ministère modèle paiement période prêt qualité règlement réseau résultat "
    "salarié sécurité société tâche trésorerie vérification annuel applicable dernier régional supérieur"
)
_SPANISH = (
    "acción acuerdo administración agua análisis año aprobación área artículo ayuda banco capital comisión "
    "compañía contrato cuenta decreto depósito derecho economía ejercicio empresa energía envío estación gasto "
    "gestión impuesto informe ingreso inversión región línea material medición método minería municipio niño "
    "operación plazo préstamo producción régimen resolución salud señal técnica anual básico público último"
)


@dataclass(frozen=True)
class Tongue:
    """What a language has for the parts of a report.

    Attributes:
        code: By which words are broken.
        words: Of titles and sentences.
        separators: Between thousands, and before a fraction.
        table: What a caption begins with.
        statement: Names of a statement's columns, and of its last row.
        prices: Names of the columns of a price list.
        duties: Of a list of duties.
        terms: Of a list of terms.
        events: Of a list of dates.
        months: Some of them.
    """

    code: str
    words: Sequence[str]
    separators: tuple[str, str]
    table: str
    statement: Sequence[str]
    prices: Sequence[str]
    duties: Sequence[str]
    terms: Sequence[str]
    events: Sequence[str]
    months: Sequence[str]


TONGUES = {
    "german": Tongue(
        "de",
        _GERMAN.split(),
        (".", ","),
        "Tabelle",
        ("in Tausend Euro", "2026", "2025", "Änderung", "Summe"),
        ("Artikel", "Bezeichnung", "Einheit", "Menge", "Preis"),
        ("Nr.", "Anforderung", "Nachweis"),
        ("Begriff", "Bedeutung"),
        ("Datum", "Anlass", "Ort"),
        ("Januar", "März", "Juli", "November"),
    ),
    "french": Tongue(
        "fr",
        _FRENCH.split(),
        ("\N{NO-BREAK SPACE}", ","),
        "Tableau",
        ("en milliers d’euros", "2026", "2025", "Variation", "Total"),
        ("Référence", "Désignation", "Unité", "Quantité", "Prix"),
        ("N°", "Exigence", "Preuve"),
        ("Terme", "Définition"),
        ("Date", "Objet", "Lieu"),
        ("janvier", "février", "août", "décembre"),
    ),
    "spanish": Tongue(
        "es",
        _SPANISH.split(),
        (".", ","),
        "Cuadro",
        ("en miles de euros", "2026", "2025", "Variación", "Total"),
        ("Código", "Descripción", "Unidad", "Cantidad", "Precio"),
        ("N.º", "Requisito", "Prueba"),
        ("Término", "Significado"),
        ("Fecha", "Asunto", "Lugar"),
        ("enero", "marzo", "junio", "diciembre"),
    ),
}


def report(tongue: Tongue, seed: int) -> Iterator[Block]:
    """Yield sections with tables, lists and definitions."""
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    makers = [_statement, _prices, _duties, _terms, _events, _lists, _statement]
    draw.shuffle(makers)
    yield Block("heading", ((_title(draw, tongue, 2, 5), False),), level=1)
    yield _paragraph(draw, tongue, 40, 70)
    for number, make in enumerate(makers, 1):
        yield Block("heading", ((_title(draw, tongue, 1, 5), False),), level=2)
        yield _paragraph(draw, tongue, 25, 80)
        if number % 2:
            yield Block("heading", ((_title(draw, tongue, 1, 4), False),), level=3)
            yield _paragraph(draw, tongue, 15, 60)
        yield from make(draw, tongue, number)
        yield _paragraph(draw, tongue, 15, 50)


def _title(draw: random.Random, tongue: Tongue, low: int, high: int) -> str:
    words = [draw.choice(tongue.words) for _ in range(draw.randint(low, high))]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])


def _prose(draw: random.Random, tongue: Tongue, low: int, high: int) -> str:
    left = draw.randint(low, high)
    sentences: list[str] = []
    while left > 0:
        length = min(max(3, left), draw.randint(7, 16))
        sentences.append(f"{_title(draw, tongue, length, length)}.")
        left -= length
    return " ".join(sentences)


def _paragraph(draw: random.Random, tongue: Tongue, low: int, high: int) -> Block:
    return Block("paragraph", ((_prose(draw, tongue, low, high), False),))


def _caption(draw: random.Random, tongue: Tongue, number: int) -> Block:
    return Block("caption", ((f"{tongue.table} {number}: {_title(draw, tongue, 2, 7)}", False),))


def _amount(tongue: Tongue, cents: int, *, whole: bool = False) -> str:
    thousands, point = tongue.separators
    digits = f"{abs(cents) // 100:,}".replace(",", thousands)
    return f"{'-' if cents < 0 else ''}{digits}" + ("" if whole else f"{point}{abs(cents) % 100:02}")


def _statement(draw: random.Random, tongue: Tongue, number: int) -> Iterator[Block]:
    """Amounts of two years, their change and sums that are right."""
    *names, total = tongue.statement
    rows: list[list[str]] = []
    sums = [0, 0]
    for _ in range(draw.randint(5, 12)):
        values = [draw.randint(10, 90_000) * draw.choice([1, 1, 1, -1]) * 100 for _ in sums]
        sums = [one + value for one, value in zip(sums, values, strict=True)]
        amounts = [*values, values[0] - values[1]]
        rows.append([_title(draw, tongue, 1, 5), *(_amount(tongue, value, whole=True) for value in amounts)])
    rows.append([total, *(_amount(tongue, value, whole=True) for value in (*sums, sums[0] - sums[1]))])
    yield _caption(draw, tongue, number)
    yield table_of([names, *rows])


def _prices(draw: random.Random, tongue: Tongue, _: int) -> Iterator[Block]:
    rows = [
        [f"{draw.randint(10, 99)}.{draw.randint(100, 999)}", _title(draw, tongue, 2, 9),
         draw.choice(["kg", "m", "m²", "l"]), str(draw.choice([1, 5, 10, 250])),
         _amount(tongue, draw.randint(90, 300_000))]
        for _ in range(draw.randint(5, 14))
    ]  # fmt: skip
    yield table_of([tongue.prices, *rows])


def _duties(draw: random.Random, tongue: Tongue, number: int) -> Iterator[Block]:
    """Texts that wrap beside a number."""
    rows = [
        [f"{number}.{at}", _prose(draw, tongue, 8, 45), _title(draw, tongue, 2, 12)]
        for at in range(1, draw.randint(5, 9))
    ]
    yield _caption(draw, tongue, number)
    yield table_of([tongue.duties, *rows])


def _terms(draw: random.Random, tongue: Tongue, _: int) -> Iterator[Block]:
    names = sorted({_title(draw, tongue, 1, 2) for _ in range(draw.randint(5, 9))})
    yield table_of([tongue.terms, *([name, _prose(draw, tongue, 4, 28)] for name in names)])


def _events(draw: random.Random, tongue: Tongue, number: int) -> Iterator[Block]:
    rows = [
        [f"{draw.randint(1, 28)} {draw.choice(tongue.months)} 2026", _title(draw, tongue, 2, 10),
         draw.choice(["Lyon", "Köln", "Sevilla", "Genève"])]
        for _ in range(draw.randint(4, 9))
    ]  # fmt: skip
    yield _caption(draw, tongue, number)
    yield table_of([tongue.events, *rows])


def _lists(draw: random.Random, tongue: Tongue, _: int) -> Iterator[Block]:
    for at in range(1, draw.randint(4, 7)):
        yield Block("item", ((_prose(draw, tongue, 4, 30), False),), label=f"{at}.")
    yield _paragraph(draw, tongue, 6, 20)
    for _ in range(draw.randint(3, 6)):
        yield Block("item", ((_prose(draw, tongue, 3, 22), False),))
