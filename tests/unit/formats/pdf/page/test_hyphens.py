"""Hyphens at the ends of lines: those of compound words, which stay, and those of hyphenation, which do not."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.page.characters import KEPT_BREAK, LONE_BREAK, SOFT_BREAK
from pincite.formats.pdf.page.hyphens import CLOSED_COMPOUNDS, Hyphenation, Vocabulary, ends_in_break, whole_words
from pincite.formats.pdf.page.words import Word
from pincite.text.lexicon import english_words


def words(*texts: str) -> list[Word]:
    return [Word(text, 0, 0, 1, 1, 10, "", False, False, 0, n, n, 0, 0, 0) for n, text in enumerate(texts)]  # noqa: FBT003


def breaks(page: list[Word]) -> bool:
    return Vocabulary().hyphenation(page).breaks


@pytest.mark.parametrize("hyphen", [SOFT_BREAK, "\u2010", "\u2011", "\u00ad"])
def test_a_page_breaks_words_where_it_does_so_often(hyphen: str) -> None:
    assert breaks(words(*["plain"] * 100, *[f"bro{hyphen}"] * 3))
    assert not breaks(words(*["plain"] * 100, *[f"well{hyphen}"] * 2))
    assert not breaks(words(*["plain"] * 1000, *[f"well{hyphen}"] * 3))


def test_the_last_page_of_a_hyphenated_document_is_hyphenated() -> None:
    document = Vocabulary()
    document.add(words("a", "third-party", *["plain"] * 100, *[f"bro{SOFT_BREAK}"] * 3))
    found = document.hyphenation(words("short", f"compre{SOFT_BREAK}", "hensive"))
    assert found.breaks and "third-party" in found.known


@pytest.mark.parametrize(
    ("before", "following", "breaks", "joined"),
    [
        ("is well", "defined here", False, "is well-defined here"),
        ("an exam", "ple of", True, "an example of"),
        ("the SEPA", "Lastschrift", True, "the SEPA-Lastschrift"),
        ("state-of", "the-art", True, "state-of-the-art"),
        ("state", "of-the-art", True, "state-of-the-art"),
        ("end", "to-end", True, "end-to-end"),
        ("para", "graph-based", True, "paragraph-based"),
        ("self-ser", "vice", True, "self-service"),
        ("end-to", "end", True, "end-to-end"),
        ("the φ", "quantile", True, "the φ-quantile"),
        ("COVID", "19,", True, "COVID-19,"),
        ("short", "and long-term", True, "short- and long-term"),
        ("the hardware", "based one", True, "the hardware-based one"),
        ("the Com", "mission", True, "the Commission"),
        ("the frame", "works", True, "the frameworks"),
        ("a tech", "nique", False, "a technique"),
        ("to ac", "cess it", False, "to access it"),
        ("an on", "line shop", False, "an on-line shop"),
        ("OR IM", "PLIED", False, "OR IMPLIED"),
        ("the map", "ping of", True, "the mapping of"),
        ("OF COMMUNI", "TIES", False, "OF COMMUNITIES"),
        ("from day-to", "day", True, "from day-to-day"),
        ("set DEST", "DIR to", True, "set DESTDIR to"),
        ("as MIL", "STD-810", True, "as MIL-STD-810"),
        ("of MINI", "MUM7 in", True, "of MINIMUM7 in"),
        ("an ISO", "IEC", False, "an ISO-IEC"),
        ("the sub", "scriptions of", False, "the subscriptions of"),
        ("the sub", "sections of", False, "the sub-sections of"),
        ("any", "one", False, "any-one"),
        ("any", "one", True, "anyone"),
        ("be re", "used", False, "be re-used"),
        ("a buck", "et of", True, "a bucket of"),
        ("the __", "name__", True, "the __name__"),
        ("the __", "name__", False, "the __-name__"),
        ("an end", "point", True, "an endpoint"),
        ("a finger", "prints", True, "a fingerprints"),
        ("a so", "called one", True, "a so-called one"),
        ("a sign", "on", True, "a sign-on"),
        ("the non", "payment of", True, "the non-payment of"),
        ("at https://eur", "lex.example", True, "at https://eur-lex.example"),
        ("the eur", "lex.example.org/a", True, "the eur-lex.example.org/a"),
        ("and/or un", "til", True, "and/or until"),
        ("an out", f"stand{SOFT_BREAK}", True, f"an outstand{SOFT_BREAK}"),
    ],
)
def test_two_halves_are_joined(before: str, following: str, breaks: bool, joined: str) -> None:
    assert Hyphenation(breaks).resolve(before + SOFT_BREAK, following) + following == joined


def test_one_broken_word_shows_that_a_document_breaks_words() -> None:
    document = Vocabulary()
    document.add(words(*["plain"] * 900, f"well{SOFT_BREAK}", "known"))
    assert not document.hyphenation([]).breaks
    document.add(words(*["plain"] * 900, f"previ{SOFT_BREAK}", "ously"))
    assert document.hyphenation([]).breaks


def test_a_soft_hyphen_is_of_the_print_wherever_it_is() -> None:
    assert Hyphenation().resolve("a third\u00ad", "party") == "a third"


def test_u_2010_is_of_the_print_where_words_have_another_hyphen() -> None:
    document = Vocabulary()
    document.add(words("third-party", "previ\u2010", "ously", f"well{SOFT_BREAK}", "known", *["the"] * 20))
    found = document.hyphenation([])
    assert found.resolve("to fore\u2010", "go this") == "to fore"
    # The other hyphen is then the word's own, whatever the word.
    assert found.resolve(f"previ{SOFT_BREAK}", "ously") == "previ-"


def test_several_u_2010_at_line_ends_alone_are_of_the_print_whatever_words_they_break() -> None:
    text = ["third-party", "tam\u2010", "pering", "in\u2010", "stalling", "de-cap\u2010", "ping", *["the"] * 200]
    document = Vocabulary()
    document.add(words(*text))
    assert document.hyphenation([]).resolve("noex\u2010", "ecstack") == "noex"
    fewer = Vocabulary()
    fewer.add(words(*text[:5], *["the"] * 200))
    assert fewer.hyphenation([]).resolve("noex\u2010", "ecstack") == "noex-"


def test_a_beginning_with_a_hyphen_in_other_words_of_the_document_keeps_it() -> None:
    halves = {"non-", "-current"}
    assert Hyphenation(breaks=True, halves=halves).resolve(f"E. Non{SOFT_BREAK}", "curre") == "E. Non-"
    assert Hyphenation(breaks=True).resolve(f"E. Non{SOFT_BREAK}", "curre") == "E. Non"


def test_one_u_2010_is_of_the_print_in_other_languages_than_english_where_words_have_another_hyphen() -> None:
    document = Vocabulary()
    document.add(words("procès-verbal", "le", "réper\u2010", "toire", *["mot"] * 200))
    found = document.hyphenation([])
    assert found.resolve("https://docs.example/ne\u2010", "tifd.") == "https://docs.example/ne"


@pytest.mark.parametrize("hyphen", ["\u2010", "\u00ad"])
def test_a_hyphen_of_the_print_is_none_of_the_word_before_or_after_a_digit(hyphen: str) -> None:
    found = Hyphenation(marked="\u00ad\u2010")
    assert found.resolve(f"Retry-After{hyphen}", "10.2.4") == "Retry-After"
    assert found.resolve(f"base64{hyphen}", "url") == "base64"
    assert found.resolve(f"an SLA ({hyphen}", "see") == "an SLA (-"


def test_u_2010_tells_nothing_where_words_have_it() -> None:
    document = Vocabulary()
    document.add(words("third\u2010party", "previ\u2010", "ously", *["the"] * 20))
    assert not document.hyphenation([]).all_marked


def test_a_word_that_is_broken_by_another_hyphen_shows_that_not_all_are_marked() -> None:
    document = Vocabulary()
    document.add(words("third-party", "previ\u2010", "ously", f"compre{SOFT_BREAK}", "hensive", *["the"] * 20))
    assert not document.hyphenation([]).all_marked


@pytest.mark.parametrize("text", ["und der die das Wert", "и не на что слово", "και το της του λόγος"])
def test_words_of_other_languages_are_joined_where_many_lines_end_in_a_hyphen(text: str) -> None:
    document = Vocabulary()
    page = words(*text.split() * 20, *(f"zna{SOFT_BREAK}", "tschenije") * 4)
    document.add(page)
    assert document.hyphenation(page).resolve(f"ka{SOFT_BREAK}", "kojto") == "ka"


def test_a_word_that_is_whole_elsewhere_shows_in_another_language_that_not_all_are_marked() -> None:
    text = ["der", "die", "und", "das", "Ventil"] * 20
    document = Vocabulary()
    document.add(words(*text, "Beleuchtung", f"Kälte{LONE_BREAK}", "mittel", f"Beleuch{SOFT_BREAK}", "tung", "Rohr"))
    assert document.hyphenation([]).resolve(f"die Umge{SOFT_BREAK}", "bung") == "die Umge-"
    document.add(words(*(f"Ge{SOFT_BREAK}", "bung") * 3), frozenset("-"))
    found = document.hyphenation([])
    assert found.marked.endswith(LONE_BREAK) and not found.all_marked
    assert found.resolve(f"die Umge{SOFT_BREAK}", "bung") == "die Umge"


def test_many_compounds_at_line_ends_of_english_do_not_show_that_it_breaks_words() -> None:
    text = ["the", "of", "and", "to", "plain"] * 20
    document = Vocabulary()
    document.add(words(*text, *[f"third{SOFT_BREAK}", "party"] * 5))
    assert not document.hyphenation([]).breaks
    document.add(words(*text, *[f"bro{SOFT_BREAK}", "ken"] * 12))
    assert document.hyphenation([]).breaks


@pytest.mark.parametrize(
    ("before", "following", "breaks", "joined"),
    [
        ("some Metric", "Families", True, "some Metric-Families"),
        ("some Metric", "Familys", True, "some MetricFamilys"),
        ("a compre", "hensive", False, "a comprehensive"),
        ("Compre", "hensive,", False, "Comprehensive,"),
        ("a Metric", "Family", True, "a MetricFamily"),
        ("a third", "party", True, "a third-party"),
        ("well", "defined", True, "well-defined"),
        ("in", "form", True, "inform"),
        ("by NI", "STIR8062]", True, "by NISTIR8062]"),
        ("by NI", "STIR9", True, "by NI-STIR9"),
    ],
)
def test_words_of_the_document_tell_compounds_from_broken_words(
    before: str, following: str, breaks: bool, joined: str
) -> None:
    known = {
        "comprehensive",
        "metricfamily",
        "third-party",
        "thirdparty",
        "well",
        "defined",
        "in",
        "form",
        "nistir8062",
    }
    assert Hyphenation(breaks, known).resolve(before + SOFT_BREAK, following) + following == joined


GERMAN = ["wer", "den", "und", "die", "Rede", "ist", "von", "der", "und", "die"]


@pytest.mark.parametrize(
    ("text", "before", "following", "joined"),
    [
        # Halves that are words, of the document or of English, are no compound by this alone.
        (GERMAN, "sie wer", "den gehört", "sie werden gehört"),
        (GERMAN, "er kann be", "at", "er kann beat"),
        (GERMAN, "las pri", "meras", "las primeras"),
        (GERMAN, "de forma ile", "gal", "de forma ilegal"),
        (GERMAN, "el momen", "to de", "el momento de"),
        (GERMAN, "die Vor", "und Nachteile", "die Vor- und Nachteile"),
        # They are one where the document has another compound with one of them.
        ([*GERMAN, "peut", "être", "peut-on"], "il peut", "être", "il peut-être"),
        ([*GERMAN, "peut", "être", "bien-être"], "il peut", "être", "il peut-être"),
        ([*GERMAN, "peut", "être"], "il peut", "être", "il peutêtre"),
        # German compounds have a capital letter after their hyphen.
        (GERMAN, "eine E", "Mail", "eine E-Mail"),
    ],
)
def test_in_other_languages_than_english_only_compounds_of_the_document_keep_a_hyphen(
    text: list[str], before: str, following: str, joined: str
) -> None:
    document = Vocabulary()
    document.add(words(*text, *[f"bro{SOFT_BREAK}", "ken"] * 3))
    assert document.hyphenation([]).resolve(before + SOFT_BREAK, following) + following == joined


def test_the_rest_of_a_word_at_the_top_of_a_page_is_no_word() -> None:
    document = Vocabulary()
    head, rest, text = words("Seite", "nehmens", "verankert")
    document.add([head, replace(rest, x0=-1), text])
    found = document.hyphenation([])
    assert found.is_word("verankert") and not found.is_word("nehmens")


def test_words_that_are_broken_are_not_known() -> None:
    found = set(whole_words(words("(A", "third\u2011party,", f"compre{SOFT_BREAK}", "hensive", "text.")))
    assert found == {"a", "third-party", "text"}


def test_a_line_ends_within_a_word_by_any_hyphen_of_a_word() -> None:
    assert all(ends_in_break(f"compre{hyphen}", marked=False) for hyphen in (SOFT_BREAK, "-", "\u2010", "\u2011"))
    assert not ends_in_break("from 1 -", marked=False)
    assert not ends_in_break("compre-", marked=True)
    assert ends_in_break(f"compre{SOFT_BREAK}", marked=True)


def test_a_hyphen_that_the_file_calls_the_words_own_stays() -> None:
    assert Hyphenation(breaks=True).resolve(f"the appli{KEPT_BREAK}", "cation") == "the appli-"


@pytest.mark.parametrize(
    ("inner", "others", "marked"),
    [
        (frozenset("-"), [], True),
        (frozenset({KEPT_BREAK}), [], True),
        (frozenset[str](), [f"bro{LONE_BREAK}"] * 2, True),
        (frozenset[str](), ["bro\u00ad"], True),
        (frozenset[str](), [], False),
        (frozenset({"-", LONE_BREAK}), [f"bro{LONE_BREAK}"] * 5, False),
    ],
)
def test_hyphens_that_are_drawn_by_themselves_are_of_the_print_if_those_of_words_are_not(
    inner: frozenset[str], others: list[str], *, marked: bool
) -> None:
    document = Vocabulary()
    page = words("Sound" + LONE_BREAK, "Cloud", *others)
    document.add(page, inner)
    assert document.hyphenation(page).resolve(f"the Sound{LONE_BREAK}", "Cloud") == (
        "the Sound" if marked else "the Sound-"
    )


def test_only_words_that_the_vocabulary_does_not_have_are_listed() -> None:
    assert not CLOSED_COMPOUNDS & english_words()
    assert all(word.isascii() and word.isalpha() and word.islower() for word in CLOSED_COMPOUNDS)
