"""What the routes of the web page answer."""

from pincite.model.document import Box
from pincite.model.status import Freshness
from pincite.services.citations.page_boxes import PageBox
from pincite.services.viewer.pages import Line
from pincite.services.viewer.viewer import FoundPassage, OpenedPlace, Place, Results
from pincite.transports.http.viewer import answers

PLACE = Place(
    "docs", "a.pdf", "A", "One > Two", "a.pdf@00000000#h1-c1", 3, 9, [PageBox(page=2, x0=1, y0=2, x1=3, y1=4)], [2]
)


def test_a_passage_has_its_place_and_its_matching_words() -> None:
    found = FoundPassage(PLACE, 0.5, [("a ", False), ("b", True)], "5.1", "requirement", normative=True)
    fresh = Freshness(generation=1, checked_at=0.0, pending=1, stale=True, reason="late")
    answer = answers.results(Results([found], 7, 0.25, "b", "", [fresh])).model_dump()
    passage = answer["passages"][0]
    assert (passage["ref"], passage["boxes"][0]["page"], passage["start"], passage["end"]) == (PLACE.ref, 2, 3, 9)
    assert passage["excerpt"] == [("a ", False), ("b", True)] and passage["normative"]
    assert answer["freshness"] == [
        {"checked_at": "1970-01-01T00:00:00.000Z", "pending": 1, "stale": True, "reason": "late"}
    ]


def test_a_citation_has_what_was_given_and_where_it_is() -> None:
    answer = answers.citation(OpenedPlace(PLACE, "words", current=False, given="a.pdf@11111111#h1-c1"))
    assert (answer.place.ref, answer.given, answer.current) == (PLACE.ref, "a.pdf@11111111#h1-c1", False)


def test_a_line_has_its_box() -> None:
    line = answers.lines(4, [Line(Box(1, 2, 3, 4), "words", 5, 6)]).lines[0]
    assert (line.x0, line.y1, line.text, line.start) == (1, 4, "words", 5)
