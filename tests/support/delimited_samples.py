"""Delimited files in nine languages, fourteen encodings and four delimiters, and five that mislead."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

DELIMITERS = (",", ";", "\t", "|")
SIZES = (4, 100)


@dataclass(frozen=True)
class Sample:
    """A file, and what it holds."""

    name: str
    data: bytes
    text: str
    delimiter: str
    rows: list[list[str]]


WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        ("Name", "City", "Amount", "Date", "Remark"),
        ("Margaret Thatcher", "Birmingham", "delivered in time", "Newcastle", "waiting for the customer", "O’Brien"),
    ),
    "de": (
        ("Name", "Straße", "Betrag", "Datum", "Bemerkung"),
        (
            "Jürgen Müller",
            "Königsallee",
            "größere Lieferung verspätet",
            "Düsseldorf",
            "für übermorgen",
            "Bäckerei Groß",
        ),
    ),
    "fr": (
        ("Prénom", "Ville", "Montant", "Date", "Observations générales"),
        (
            "François Lefèvre",
            "Besançon",
            "livré à l'heure prévue",
            "Orléans",
            "déjà réglé en espèces",
            "Hélène Château",
        ),
    ),
    "pl": (
        ("Imię", "Miejscowość", "Kwota", "Data", "Szczegóły"),
        ("Grażyna Wójcik", "Łódź", "dostarczono następnego dnia", "Rzeszów", "proszę o wiadomość", "Świętosława Żak"),
    ),
    "ru": (
        ("Имя", "Город", "Сумма", "Дата", "Примечание"),
        ("Александр Иванов", "Москва", "доставлено вовремя", "Нижний Новгород", "ожидает оплаты", "Екатерина Щукина"),
    ),
    "el": (
        ("Όνομα", "Πόλη", "Ποσό", "Ημερομηνία", "Παρατηρήσεις"),
        ("Γιώργος Παπαδόπουλος", "Θεσσαλονίκη", "παραδόθηκε εγκαίρως", "Αθήνα", "αναμένει πληρωμή", "Ελένη Οικονόμου"),
    ),
    "ja": (
        ("名前", "住所", "金額", "日付", "備考"),
        ("山田太郎", "東京都新宿区", "配達済みです", "大阪市北区", "お客様の返事を待っています", "佐藤花子"),
    ),
    "zh": (
        ("姓名", "城市", "金额", "日期", "备注"),
        ("王小明", "北京市", "已经按时交货", "上海市浦东新区", "正在等待客户付款", "李雪梅"),
    ),
    "zh-tw": (
        ("姓名", "城市", "金額", "日期", "備註"),
        ("陳怡君", "臺北市", "已經準時交貨", "高雄市", "正在等待客戶付款", "林志豪"),
    ),
    "ko": (
        ("이름", "도시", "금액", "날짜", "비고"),
        ("김철수", "서울특별시", "제시간에 배송되었습니다", "부산광역시", "고객의 답변을 기다리는 중", "이영희"),
    ),
}

PAIRS = (
    ("en", "utf-8"),
    ("de", "utf-8"),
    ("ja", "utf-8"),
    ("ru", "utf-8"),
    ("zh", "utf-8"),
    ("pl", "utf-8-sig"),
    ("fr", "utf-8-sig"),
    ("ko", "utf-16"),
    ("de", "utf-16-le"),
    ("ru", "utf-16-le"),
    ("fr", "utf-16-be"),
    ("de", "cp1252"),
    ("fr", "cp1252"),
    ("pl", "cp1250"),
    ("ru", "cp1251"),
    ("ru", "koi8-r"),
    ("el", "cp1253"),
    ("ja", "cp932"),
    ("zh", "gb18030"),
    ("zh-tw", "big5"),
    ("ko", "cp949"),
)


def samples() -> Iterator[Sample]:
    """21 pairs of language and encoding, four delimiters, 4 and 100 rows."""
    for language, encoding in PAIRS:
        for delimiter in DELIMITERS:
            for size in SIZES:
                rows = _rows(language, size)
                text = written(rows, delimiter)
                name = f"{language} {encoding} {delimiter!r} {size}"
                yield Sample(name, text.encode(encoding), text, delimiter, rows)


def hard() -> Iterator[Sample]:
    """Files whose delimiter is easily taken for another."""
    cases = {
        "notes above": (
            "Sales, by region\nas of 31 May, 2024\n\nregion;units;price\nNorth;5;1,50\nSouth;7;2,75\n",
            ";",
        ),
        "one column": ("name\nAnn\nBob\nEve\n", ","),
        "decimal comma": ("x;y\n1,5;2,5\n3,5;4,5\n5,25;6,75\n", ";"),
        "delimiters in quotes": ('id,text\n1,"a;b;c"\n2,"d;e;f"\n3,"g|h;i"\n', ","),
        "breaks in quotes": ('id\ttext, more\n1\t"first, second\nthird, fourth"\n2\t"fifth, sixth"\n', "\t"),
    }
    for name, (text, delimiter) in cases.items():
        yield Sample(name, text.encode(), text, delimiter, list(csv.reader(io.StringIO(text), delimiter=delimiter)))


def written(rows: list[list[str]], delimiter: str) -> str:
    """Rows as a delimited file."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter).writerows(rows)
    return buffer.getvalue()


def _rows(language: str, size: int) -> list[list[str]]:
    header, words = WORDS[language]
    body = [
        [
            words[n % 6],
            words[(n + 1) % 6],
            f"{(n + 1) * 1237 % 9973 / 100}",
            f"2024-0{n % 9 + 1}-1{n % 10}",
            words[(n + 2) % 6],
        ]
        for n in range(size)
    ]
    return [list(header), *body]
