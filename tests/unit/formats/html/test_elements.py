from pincite.formats.html.elements import MAX_EVENTS, Element, Elements, TextSums, text_of
from pincite.formats.html.events import Break, Code, Event

SENTENCE = "A sentence that is long enough."


def test_an_element_has_the_counts_of_its_own_text() -> None:
    elements = Elements()
    elements.enter("body", {}, 0)
    elements.text("Before")
    elements.enter("div", {"class": "x"}, 1)
    elements.enter("h2", {}, 2)
    elements.text("Title")
    elements.leave("h2", 3)
    elements.text(SENTENCE)
    elements.enter("a", {}, 4)
    elements.text("a link that is as long as a sentence")
    elements.leave("a", 5)
    elements.leave("div", 6)
    elements.code("x = 1")
    elements.leave("body", 7)
    body, div, heading = elements.all
    assert (div.start, div.end, div.parent, div.headings) == (1, 6, body, 1)
    assert (div.characters, div.linked, div.prose) == (5 + len(SENTENCE) + 36, 36, len(SENTENCE))
    assert (body.characters, body.linked, body.prose) == (6 + div.characters + 5, 36, len(SENTENCE))
    assert body.contains(div)
    assert body.contains(body)
    assert not heading.contains(div)


def test_a_sentence_of_wide_characters_is_shorter() -> None:
    elements = Elements()
    elements.enter("p", {}, 0)
    elements.text("虐待をした親に専門家が話す。")
    elements.text("twelve chars")
    elements.leave("p", 2)
    assert elements.all[0].prose == 14


def test_text_and_prose_between_two_events_are_sums() -> None:
    sums = TextSums(["short", Break(), SENTENCE, " \n", Code("x = 1", "", ())])
    assert (sums.prose(0, 5), sums.prose(0, 2), sums.prose(2, 3)) == (len(SENTENCE), 0, len(SENTENCE))
    assert (sums.has_text(0, 1), sums.has_text(1, 2), sums.has_text(3, 4), sums.has_text(4, 5)) == (1, 0, 0, 1)


def test_the_text_of_an_element_is_that_of_its_first_events() -> None:
    events: list[Event] = [" a ", "b\n", *["c"] * 500]
    assert text_of(Element("p", {}, None, 0, 2), events) == "a b"
    assert text_of(Element("p", {}, None, 0, 502), events) == f"a b {'c' * (MAX_EVENTS - 2)}"
