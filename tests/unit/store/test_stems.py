"""Stems: which words of a passage get one, in which language."""

# ruff: noqa: RUF001 - letters of other languages

import pytest

from pincite.store.stems import MARKS, STEMMED, query_stems, stems

MARK = dict(zip(STEMMED, MARKS, strict=True))


def counts(**passages: int) -> list[int]:
    """The number of passages of each language."""
    return [passages.get(name, 0) for name in STEMMED]


@pytest.mark.parametrize(
    ("language", "passage", "question"),
    [
        ("german", "Die Schlüssel werden mit dem Werkzeug erneuert.", "Schlüsseln"),
        ("russian", "Замена ключей", "ключ"),
        ("italian", "Il processo è sospeso e gli utenti non sono avvisati.", "utente"),
        ("dutch", "Toon de bestanden van een map.", "bestand"),
        ("turkish", "Bir dosya için dosyaları sil ve listele.", "dosyalar"),
        ("arabic", "هذا المفتاح", "مفتاح"),
    ],
)
def test_a_question_and_a_passage_have_the_stem_of_another_form_in_common(
    language: str, passage: str, question: str
) -> None:
    (stem,) = query_stems([question], counts(**{language: 1}), 1)
    assert stem in stems(passage)
    assert MARK[language] in stems(passage)


@pytest.mark.parametrize(
    "passage",
    [
        "",
        "The keys of the gate are rotated.",
        "Show a table of I/O by process: I/O read, I/O written, and I/O in all, in a file.",
        "A key in a file in a folder.",
        "Los ficheros de la red.",
        "der",
        "审批期限",
    ],
)
def test_a_passage_of_no_stemmed_language_has_no_stem(passage: str) -> None:
    assert stems(passage) == []


def test_words_of_another_script_have_stems_in_a_passage_of_any_language() -> None:
    assert stems("The key is ключей.") == [MARK["russian"], MARK["russian"] + "ключ"]


def test_a_question_has_stems_in_each_language_that_passages_are_in() -> None:
    assert query_stems(["dateien"], counts(german=50, dutch=50), 100) == (
        MARK["german"] + "datei",
        MARK["dutch"] + "datei",
    )
    assert query_stems(["dateien"], counts(german=1), 100) == ()
    assert query_stems(["ключей"], counts(german=50, russian=50), 100) == (MARK["russian"] + "ключ",)


def test_short_words_and_names_with_digits_have_no_stem() -> None:
    assert stems("Die und der und das b2b4 abc") == []
