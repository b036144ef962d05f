"""Entries of a glossary, and sentences that define."""

import pytest

from pincite.chunking.tagging.definitions import (
    defines,
    introduces,
    introduces_terms,
    is_acronym,
    is_by_reference,
    is_entry,
    is_plain_definition,
    is_plain_term,
    is_term,
)


@pytest.mark.parametrize(
    "text",
    [
        "- **X.509 Certificate** – A signed key.",
        "X.509 certificate – A signed key.",
        "Allow list – A list of permitted data.",
        "- **Address Space Layout Randomization** (ASLR) – A technique.",
        "**Verifier**: the party that checks.",
        "Verifier\n: The party that checks.",
        "Verifier\n~ The party that checks.",
        "- **alpha**\n  The first letter.",
        "Key:  A thing that is used.",
        "MFA\tMulti-factor authentication",
        "CSIRT — Computer Security Incident Response Team",
        "origin server - the program that answers",
        "Pump  device that moves fluid".replace("  ", "   "),
    ],
)
def test_an_entry_has_a_term_and_a_text(text: str) -> None:
    assert is_entry(text)


@pytest.mark.parametrize(
    "text",
    [
        "ISO and IEC maintain databases at the following addresses:",
        "* IEC Electropedia: available at [http://www.electropedia.org/](http://www.electropedia.org/)",
        "For the purposes of this document, the following terms apply.",
        "Note: this is no term.",
        "A plain sentence without any mark.",
        "One that uses a great many words before the mark ever comes to be seen: text",
    ],
)
def test_other_paragraphs_of_a_glossary_are_none(text: str) -> None:
    assert not is_entry(text)


def test_an_entry_by_reference_defines_nothing() -> None:
    assert is_by_reference("Advisory — as in ISO/IEC 29147")
    assert is_by_reference("Authenticate: See Authentication.")
    assert not is_by_reference("Advisory — a notice")
    assert not is_by_reference('**resource**\n  As defined by [RFC3986]: "a general term for whatever a URI names."')


def test_a_term_is_a_short_line_without_a_full_stop() -> None:
    assert is_term("annotations information section")
    assert not is_term("This is a sentence.") and not is_term("") and not is_term("word " * 20)


@pytest.mark.parametrize(
    "sentence",
    [
        '"Controller" means the natural or legal person which decides.',
        "“Work” means any artistic work.",
        "Processor means a person who processes data.",
        'The target of a request is called a "resource".',
        "Such fields are referred to as **singleton fields**.",
        'An "origin server" is a program that answers.',
        "A **widget** is a device.",
        'An HTTP "client" is a program that sends requests.',
        "The term “advisory” refers to any notification.",
        "For the purposes of this Act, a vessel is any ship.",
        "A “Modified Version” of the Document means any work containing the Document.",
        "The “Invariant Sections” are certain Secondary Sections.",
        "Latency is defined as the time to answer, and _jitter_ denotes its change.",
    ],
)
def test_a_sentence_defines(sentence: str) -> None:
    assert defines(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This means that the server waits.",
        "Refer to section 4 for the meaning.",
        "The pump is called twice a minute.",
        "The purpose of this clause is plain.",
        "The function named above fails.",
        "**Important** the pump runs.",
        "A device is idle.",
        'Too many acronyms (what does "fw" mean, "firmware"?), and it is not clear.',
        "Please do not use the term “illegal” to refer to erroneous input.",
        'The string "0" is the special polymorphic value.',
    ],
)
def test_other_sentences_define_nothing(sentence: str) -> None:
    assert not defines(sentence)


@pytest.mark.parametrize(
    "sentence", ["**tile_size** is a count.", "**TileNum** is an index.", "**load(x)** is a call."]
)
def test_what_a_field_of_a_program_is_defines_no_term(sentence: str) -> None:
    assert not defines(sentence)


def test_a_title_alone_makes_no_definition_of_what_is_below_it() -> None:
    assert not defines("The CONNACK Flags is a 1 byte field.")
    assert defines("The *OpenAPI document* is a file.")


@pytest.mark.parametrize(
    "line",
    [
        "3.1.1\tdedicated power feed [ITU-T K.44].",
        "Rescorla                     Standards Track                    [Page 7]\n\x0c\n",
        "RFC 8446                           TLS                       August 2018",
        "[build]: #build-model",
        "`sessionId` (string): the session identifier",
        "This can be set with `perspective`: either version",
    ],
)
def test_a_source_the_edge_of_a_page_a_link_a_field_and_a_sentence_are_no_entries(line: str) -> None:
    assert not is_entry(line)
    assert is_entry("3.1.1\tpower feed: a cable")
    assert is_entry("MFA      Multi-factor authentication")


@pytest.mark.parametrize(
    ("line", "paragraph", "is_one"),
    [
        ("conffile", "A file that is listed in 3.2.1 of a manual. It is kept.", True),
        ("configuration file", "The file in /etc that changes what is done.\n", True),
        ("conffile", "Files that are listed.", False),
        ("In this", "A file is listed.", False),
        ("The end", "A file that is listed.", False),
        ("It is so", "A file that is listed.", False),
        ("conffile", "A file without an end", False),
    ],
)
def test_a_term_may_have_a_line_of_its_own(line: str, paragraph: str, *, is_one: bool) -> None:
    assert (is_plain_term(line) and is_plain_definition(paragraph)) is is_one


def test_letters_and_the_words_that_they_stand_for() -> None:
    assert is_acronym("IdP Identity Provider") and is_acronym("MFA Multi-factor authentication")
    assert not is_acronym("Identity Provider") and not is_acronym("TLS is used here")


def test_what_announces_terms_is_none() -> None:
    assert introduces("This document uses the following terms:") and introduces_terms("The following terms are used:")
    assert introduces("For the purposes of this Act, the terms and definitions of ISO 1 apply.")
    assert not introduces("- **scheme**\n  The syntax of an identifier, such as did:example:")
    assert not introduces("A pump is a device.") and not introduces_terms("The following terms apply.")
