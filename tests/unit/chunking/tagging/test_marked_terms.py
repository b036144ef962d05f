"""Sentences of a web page that say what a marked term is."""

import pytest

from pincite.chunking.tagging.marked_terms import defines_marked_term, has_marked_term


@pytest.mark.parametrize(
    "sentence",
    [
        "An HTTP *client* is a program that opens a connection.",
        "A *gateway* (a.k.a. *reverse proxy*) is an intermediary that forwards.",
        "The terms *sender* and *recipient* refer to any implementation.",
        "In contrast, a *weak validator* is metadata that might not change.",
        "A *tunnel* [[X]](#x) acts as a blind relay.",
        "In this context, *secured* specifically means that the server is known.",
        "The target of a request is called a *resource*.",
        "Methods are considered to be *safe* if they read.",
        "A response is *cacheable* if it may be kept.",
    ],
)
def test_a_sentence_about_a_marked_term_defines_it(sentence: str) -> None:
    assert defines_marked_term(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "A client sends it in a *request* message with a method.",
        "There are three forms of *intermediary*: proxy, gateway and tunnel.",
        "A *protection space* is defined by the origin of the server.",
        "The terms *upstream* and *downstream* are used for directions.",
        "The *realm* parameter is reserved.",
        "A *message* consists of the following:",
        "This *representation* provides the data.",
        "It accepts */* and text/*;q=0.5, and is called audio/*.",
        "A gate is a thing.",
    ],
)
def test_a_sentence_that_only_mentions_a_marked_term_does_not(sentence: str) -> None:
    assert not defines_marked_term(sentence)


def test_asterisks_that_are_no_pair_around_words_mark_nothing() -> None:
    assert has_marked_term("one *term* of it")
    assert not any(map(has_marked_term, ("3 * 4 * 5", "1*DIGIT *ALPHA", "x*y*z", "*/*")))
