"""The terms that definitions define, found again however they are written."""

import pytest

from pincite.chunking.clauses import ClausePolicy
from pincite.model.call import Call
from pincite.services.library.terms import Entry, Glossary, definition_text, headwords, key
from support.cut_documents import Words, document


def test_the_text_of_a_definition_has_its_heading_and_no_header_of_a_table() -> None:
    table = "| Term | Meaning |\n|---|---|\n| salt | random data |\n"
    text = f"# 3.1 widget\n\nThing that is made.\n\n# 3.2 Terms\n\n{table}"
    chunks = ClausePolicy(20, 80, 10).cut(document(text), Words(), Call())
    assert [definition_text(chunk).strip() for chunk in chunks if "3.2" in chunk.heading] == ["| salt | random data |"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("**Multi-factor authentication** (MFA): use of two factors.", ["Multi-factor authentication", "MFA"]),
        ("- **Verifier** – the person who checks.", ["Verifier"]),
        ("* Bearer token: a token that anyone may use.", ["Bearer token"]),
        ("Bearer token — a token that anyone may use.", ["Bearer token"]),
        ("Claim (or assertion) - a statement.", ["Claim", "or assertion"]),
        ("| Multi-factor Authentication (MFA) | Two factors. |", ["Multi-factor Authentication", "MFA"]),
        ("| Term | Meaning |\n|---|---|\n| salt | random data |\n| nonce | a number |", ["salt", "nonce"]),
        ("### 3.1.4 widget\n\nthing that is made", ["widget"]),
        ("3.1.4 widget\nthing that is made", ["widget"]),
        ("### [Layer](layer.md)\n\nEach layer is a set of changes.", ["Layer"]),
        ('### <a name="layers"></a>Layer\n\nEach layer is a set of changes.', ["Layer"]),
        ("### Layer {#layers}\n\nEach layer is a set of changes.", ["Layer"]),
        ("- Global list\n  The list of names that a server has", ["Global list"]),
        ("widget\n: thing that is made", ["widget"]),
        ("a) widget: thing that is made", ["widget"]),
        ("| MFA | Multi-factor authentication, with two factors |", ["MFA", "Multi-factor authentication"]),
        ("- **SVG** - Scalable Vector Graphics", ["SVG", "Scalable Vector Graphics"]),
        ("**MOC**: means of compliance", ["MOC", "means of compliance"]),
        ("**KC**: a person who keeps keys", ["KC"]),
        ("**ROM**: memory that is only read", ["ROM"]),
        ("### 3.2 Definitions\n\nwidget\n\nA thing that is made.", ["widget"]),
        ("### 3.2 Definition lists\n\nA definition list is a list.", ["Definition lists"]),
    ],
)
def test_an_entry_of_a_glossary_begins_with_its_term(text: str, terms: list[str]) -> None:
    found, is_entry = headwords(text)
    assert (list(found), is_entry) == (terms, True)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('In this Act, "work" means anything that is done.', ["work"]),
        ('The term "controller" (C) refers to the person.', ["controller", "C"]),
        ("The term controller refers to the person.", ["controller"]),
        ("Controller means the natural or legal person.", ["Controller"]),
        ("A **resource** is the target of a request.", ["resource"]),
        ('Such a unit is called a "message".', ["message"]),
        ("For the purposes of this document, a widget is a thing.", ["widget"]),
        ("The term\nsingle entry is used to refer to any entry of no family.", ["single entry"]),
        ("A foreign type is the Haskell type of an external entity.", ["foreign type"]),
        ("A “Modified Version” of the Document means any work.", ["Modified Version"]),
    ],
)
def test_a_sentence_defines_what_it_names(text: str, terms: list[str]) -> None:
    found, is_entry = headwords(text)
    assert (list(found), is_entry) == (terms, False)


@pytest.mark.parametrize("text", ["", "   ", "|", "|---|", "###", "x" * 500, "**", "a\n" * 3000, "(((", ": :"])
def test_what_defines_nothing_has_no_terms_or_short_ones(text: str) -> None:
    assert all(len(term.split()) <= 10 for term in headwords(text)[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Multi-Factor Authentication", "multifactor authentications"),
        ("policies", "Policy"),
        ("the verifier", "verifier"),
        ("Café", "cafe"),
        ("boxes", "box"),
        ("an access", "access"),
    ],
)
def test_terms_are_one_whatever_their_case_hyphens_number_and_article(one: str, other: str) -> None:
    assert key(one) == key(other)


GLOSSARY = Glossary(
    [
        Entry("authenticate", 1, is_entry=False),
        Entry("Multi-factor authentication", 2),
        Entry("MFA", 2),
        Entry("requirement", 3),
        Entry("requirements", 4, is_entry=False),
        Entry("requirement", 5),
        Entry("relying party", 6),
        Entry("nonce", 7),
    ]
)


def found(term: str) -> list[int]:
    return [entry.chunk_id for entry in GLOSSARY.find_term(term)]


def test_an_entry_comes_before_a_sentence_and_each_chunk_once() -> None:
    assert found("Requirements") == [3, 5, 4]
    assert found("multi factor authentication (MFA)") == [2]


def test_an_abbreviation_finds_what_expands_it() -> None:
    assert found("MFA") == [2]
    assert found("RP") == [6]
    assert found("rp") == []


def test_an_inflection_is_found_if_nothing_is_written_so() -> None:
    assert found("authenticated") == [1]
    assert found("zebra") == []


def similar(term: str, **near: float) -> list[str]:
    return GLOSSARY.similar(term, lambda: sorted(near.items(), key=lambda item: -item[1]))


def test_similar_terms_are_those_near_in_meaning_filled_up_with_those_near_in_spelling() -> None:
    assert similar("requiremnt") == ["requirement"]
    assert similar("nonse", salt=0.9, seed=0.51, pepper=0.5) == ["nonce", "salt", "seed"]
    assert similar("zebra", horse=0.8) == ["horse"]
    assert similar("zebra") == []


def test_the_nearest_in_spelling_has_a_place_among_three() -> None:
    assert similar("requiremnt", need=0.9, demand=0.8, duty=0.7) == ["requirement", "need", "demand"]


def test_a_term_near_in_both_is_listed_once() -> None:
    assert similar("nonces?", nonce=0.9, salt=0.6) == ["nonce", "salt"]
