import pytest

from pincite.formats.html.elements import Element, Elements
from pincite.formats.html.events import Event
from pincite.formats.html.further_reading import is_label, is_line_of_link

TITLE = "Another article of this site"


def element(tag: str, *runs: tuple[str, str]) -> tuple[Element, list[Event]]:
    """An element with runs of text, each in an element of its own tag, and its events."""
    elements, events = Elements(), list[Event]()
    elements.enter(tag, {}, 0)
    for inner, text in runs:
        elements.enter(inner, {}, len(events))
        elements.text(text)
        events.append(text)
        elements.leave(inner, len(events))
    elements.leave(tag, len(events))
    return elements.all[0], events


@pytest.mark.parametrize(
    "text",
    [
        *("Read more", "Related articles:", "You might also like", "Das könnte dich auch interessieren:"),
        *(
            "Diese Artikel könnten dich auch interessieren",
            "Mehr zum Thema auf UEPO.de",
            "À lire aussi",
            "Lea también:",
        ),
    ],
)
def test_a_label_introduces_links_to_other_articles(text: str) -> None:
    assert is_label(*element("h3", ("span", text)))


@pytest.mark.parametrize(
    "text",
    ["Further reading", "References", "Mehr Licht", "Read the label", "Related work", "Mire", "Lesen und schreiben"],
)
def test_other_headings_are_no_labels(text: str) -> None:
    assert not is_label(*element("h3", ("span", text)))


def test_a_long_or_linked_line_is_no_label() -> None:
    assert not is_label(*element("p", ("span", "Read more " + "and more " * 8)))
    assert not is_label(*element("p", ("a", "Read more")))


@pytest.mark.parametrize("tag", ["p", "h3", "blockquote"])
def test_a_label_with_a_colon_and_a_link_is_a_line_of_link(tag: str) -> None:
    assert is_line_of_link(*element(tag, ("b", "Vea también: "), ("a", TITLE)))


@pytest.mark.parametrize(
    "runs",
    [
        [("a", TITLE)],
        [("b", "See "), ("a", TITLE)],
        [("b", "Source: "), ("a", TITLE)],
        [("b", "Read more about this sentence of the text: "), ("a", TITLE)],
        [("b", "Read more: "), ("a", TITLE * 8)],
    ],
    ids=["a link alone", "no colon", "another label", "a sentence", "a paragraph"],
)
def test_other_lines_with_links_are_text(runs: list[tuple[str, str]]) -> None:
    assert not is_line_of_link(*element("p", *runs))


def test_the_main_title_is_never_a_line_of_link() -> None:
    assert not is_line_of_link(*element("h1", ("b", "News: "), ("a", TITLE)))
