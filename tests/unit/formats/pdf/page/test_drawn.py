from dataclasses import dataclass
from pathlib import Path

import pytest

from support.pdf_read import document, hidden, read
from support.pdfs import Filled, Text, prose


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
