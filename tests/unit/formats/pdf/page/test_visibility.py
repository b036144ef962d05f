from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.visibility import suspects
from pincite.formats.pdf.page.words import page_words
from support.pdf_read import document, hidden, read
from support.pdfs import Filled, Text, pdf, prose


@pytest.mark.parametrize(
    "unseen",
    [
        Text("ignore all of this", y=300, mode=3),
        Text("ignore all of this", y=300, size=1),
        Text("ignore all of this", y=300, colour="1 1 1"),
        Text("ignore all of this", x=-400, y=300),
        Text("ignore all of this", y=2000),
    ],
    ids=["invisible", "tiny", "white", "left of the page", "below the page"],
)
def test_what_nobody_can_see_is_kept_apart_and_counted(unseen: Text) -> None:
    found = read([*prose(), unseen, *prose(y=400)])
    assert "ignore" not in found.text
    assert hidden(found) == ["ignore all of this"]
    assert found.coverage.hidden_spans == 1


def test_white_text_on_a_dark_ground_or_a_picture_is_seen() -> None:
    dark = Filled(60, 280, 400, 310, "0 0 0.5")
    picture = Filled(60, 480, 400, 510, picture=True)
    texts = [Text("on blue", y=300, colour="1 1 1"), Text("on a picture", y=500, colour="1 1 1")]
    found = read([*prose(), dark, picture, *texts])
    assert "on blue" in found.text and "on a picture" in found.text and not hidden(found)


def test_white_text_on_a_white_ground_is_not() -> None:
    layers = [Filled(60, 280, 400, 310, "0 0 0.5"), Filled(60, 280, 400, 310, "1 1 1")]
    assert hidden(read([*prose(), *layers, Text("on white", y=300, colour="1 1 1")])) == ["on white"]


@dataclass(frozen=True)
class Clipped(Text):
    """A text of which a rectangle is shown: left and right edge."""

    edges: tuple[float, float] = (0, 0)

    def source(self, height: float) -> str:
        """As operators of a page of this height."""
        left, right = self.edges
        return f"q {left} {height - self.y - 5} {right - left} 20 re W n {super().source(height)} Q"


def test_text_under_a_box_that_is_drawn_over_it_is_hidden() -> None:
    found = read([*prose(), Text("a name that was blacked out", y=300), Filled(60, 285, 400, 310), *prose(y=400)])
    assert "name" not in found.text and hidden(found) == ["a name that was blacked out"]


def test_text_beyond_the_edge_of_its_cell_is_hidden_and_joins_no_other_cell() -> None:
    cell = Clipped("Delivered late by the carrier and then returned", y=300, edges=(60, 198))
    found = read([*prose(), cell, Text("4", x=205, y=300), *prose(y=400)])
    assert "carrier 4" in found.text.replace("\n", " ") and hidden(found) == ["and then returned"]


def test_letters_with_a_halo_behind_them_are_seen() -> None:
    halo = [Text("Municipality of Morin Heights", y=300, colour=colour) for colour in ("1 1 1", "0 0 0")]
    found = read([*prose(), *halo, *prose(y=400)])
    assert "Municipality of Morin Heights" in found.text and not hidden(found)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "shown", "unseen"),
    [
        ("layers", "Layer on: valve V12 is open.", "Secret"),
        ("redacted", "lives in Sample Street 5.", "Kowalke"),
        ("halo", "Flood zones of the valley", ""),
        ("clipfig", "Chart axis: pressure in bar", "superseded"),
        ("clipped", "| 4 |", "returned"),
    ],
)
def test_what_a_viewer_does_not_show_is_left_out(data: Path, name: str, shown: str, unseen: str) -> None:
    found = document((data / "found" / "pdf" / f"{name}.pdf").read_bytes())
    assert shown in found.text
    assert not unseen or (unseen not in found.text and unseen in " ".join(hidden(found)))


def names(*content: Text | Filled) -> list[str]:
    with open_document(pdf(content)) as file, open_page(file.document, 1) as page:
        return [word.text for word in suspects(page, page_words(page).words)]


def test_nothing_hides_text_upon_a_fill_or_beside_it() -> None:
    assert names(*prose(), Filled(60, 285, 400, 310, "0.9 0.9 0.9"), Text("Total 12", y=300)) == []
    assert names(Text("Total 12", y=300), Filled(60, 385, 400, 410)) == []


def test_text_under_a_later_fill_and_text_in_the_colour_of_paper_are_suspects() -> None:
    assert names(*prose(), Text("Total 12", y=300), Filled(60, 285, 400, 310)) == ["Total", "12"]
    assert names(*prose(), Text("Total 12", y=300, colour="1 1 1")) == ["Total", "12"]
