"""How binding a sentence is."""

import pytest

from pincite.chunking.tagging.keywords import Strength, is_about_keywords, strength


@pytest.mark.parametrize(
    "sentence",
    [
        "The tank shall withstand 3 bar.",
        "A client MUST NOT send a body.",
        "Each record must be signed.",
        "The operator is required to report the failure.",
        "Suppliers are REQUIRED to keep the log.",
        "The field is REQUIRED.",
        "It shall be possible to stop, and the user should be warned.",
        "Verifiers **SHALL** store _salted_ secrets.",
        "The Registry shall indicate that no loads are pending.",
        "The value MUST be one of “open” or “closed”.",
        "« All values MUST follow ISO 8601. » [CSAF-2.2.1-1].",
        "A door that must be locked needs a key.",
        "For an unknown digest a `404 Not Found` MUST be returned.",
        "Each skin has a REQUIRED list of joints.",
        "If the vendor disallows it, the user SHALL be required to choose another.",
    ],
)
def test_shall_must_and_required_bind_in_any_capitals(sentence: str) -> None:
    assert strength(sentence) is Strength.REQUIREMENT


@pytest.mark.parametrize(
    "sentence",
    [
        "Doors should open outwards.",
        "A server SHOULD NOT wait.",
        "A second valve is recommended.",
        "Use of SHA-1 is NOT RECOMMENDED.",
        "It is strongly recommended to test this.",
        "Reviews should be held, but are not required to be recorded.",
    ],
)
def test_should_and_recommended_recommend(sentence: str) -> None:
    assert strength(sentence) is Strength.RECOMMENDATION


@pytest.mark.parametrize(
    "sentence",
    [
        "The reader may skip this.",
        "A client MAY NOT know the length.",
        "Any of these may be, but are not required to be, represented.",
        "A user cannot be expected to know.",
        "A must for every workshop.",
        "A sensor that is required to start the device fits.",
        "It collects more data than is required to provide the service.",
        "It is a must-have.",
        "The “shall” of the second edition was removed.",
        "The error reads 'value must be positive'.",
        "Call `must_sign()` first.",
        "~~The pump shall be tested yearly.~~",
        "Shalloe and mustard grow here.",
        "The above copyright notice and this permission notice shall be included in all copies of the Software.",
        "IN NO EVENT SHALL THE CONSORTIUM BE LIABLE FOR ANY CLAIM.",
        "The name of the Consortium shall not be used in advertising or otherwise to promote the sale.",
    ],
)
def test_permissions_mentions_and_withdrawn_text_do_not(sentence: str) -> None:
    assert strength(sentence) is Strength.NONE


@pytest.mark.parametrize(
    "sentence",
    [
        'The key words "MUST", "MUST NOT", "SHOULD", "MAY" are to be interpreted as described in RFC 2119.',
        "The key words SHALL, SHALL NOT, SHOULD and MAY in this document are to be interpreted as described in [1].",
        'The word "shall" indicates a requirement.',
        "The terms SHALL and SHALL NOT indicate requirements to be followed strictly.",
        "The verb shall denotes a provision that is binding.",
    ],
)
def test_a_sentence_about_key_words_obliges_nobody(sentence: str) -> None:
    assert is_about_keywords(sentence)
    assert strength(sentence) is Strength.NONE


def test_a_sentence_that_speaks_of_words_may_still_bind() -> None:
    assert strength("The word list must be published.") is Strength.REQUIREMENT
    assert strength('The phrase "shall" must be spelled in full in every clause.') is Strength.REQUIREMENT
