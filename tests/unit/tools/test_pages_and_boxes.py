"""Answers from a PDF say on which page and where on it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.app import App
from pincite.model.call import Call
from pincite.tools.citations import OpenedCitation, VerifiedQuote
from support.serving import MakeApp, ask
from support.tagged_pdfs import Show, lines, row, tag, tagged_pdf

CROSSED = tag("TR", tag("TD", Show("11.5", 172, 500)), tag("TD", Show("Pears", 72, 500)))


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    table = tag("Table", row("Fruit", "Price", y=520, kind="TH"), CROSSED)
    data = tagged_pdf(
        [lines("H1", "Harvest", y=700), lines("P", "Apples ripen in autumn", "and pears with them.", y=650), table],
        [lines("P", "Plums come earlier.", y=700)],
    )
    (folder / "fruit.pdf").write_bytes(data)
    return make_app(PINCITE_FRESH_BUDGET="inf")


Open = Callable[[str], OpenedCitation]


@pytest.fixture
def opened(app: App) -> Open:
    def call(ref: str) -> OpenedCitation:
        answer = app.toolbox.call("open_citation", {"ref": ref}, Call())
        assert isinstance(answer, OpenedCitation)
        return answer

    return call


@pytest.fixture
def ref(app: App) -> str:
    return ask(app, "apples ripen").results[0].ref.partition("~")[0]


def test_a_hit_says_its_pages_and_where_on_them(app: App) -> None:
    found = ask(app, "apples ripen").results[0].metadata
    assert found.page_numbers == [1, 2] and found.boxes is not None
    assert [box.page for box in found.boxes] == sorted(box.page for box in found.boxes)
    assert len(found.boxes) < 8


def test_a_hit_without_pages_says_nothing_of_them(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# A\n\nplain words\n")
    shown = ask(make_app(PINCITE_FRESH_BUDGET="inf"), "plain words").model_dump()["results"][0]["metadata"]
    assert "page_numbers" not in shown and "boxes" not in shown


def test_a_citation_has_a_box_for_each_line_and_cell(opened: Open, ref: str) -> None:
    source = opened(ref).source
    assert source.page_numbers == [1, 2]
    assert [box.page for box in source.boxes] == [1] * 7 + [2]


def test_a_range_has_only_the_boxes_of_its_lines(opened: Open, ref: str) -> None:
    text = opened(ref).content
    start = text.index("pears with")
    (line,) = opened(f"{ref}:{start}-{start + 5}").source.boxes
    assert 792 - 650 < line.y0 < line.y1 < 792 - 630
    cell = text.index("Pears")
    (box,) = opened(f"{ref}:{cell}-{cell + 5}").source.boxes
    assert round(box.x0, -1) == 70
    plums = text.index("Plums")
    assert [box.page for box in opened(f"{ref}:{plums}-{plums + 4}").source.boxes] == [2]


def test_a_quote_that_runs_across_a_table_is_found_there(app: App, opened: Open, ref: str) -> None:
    answer = app.toolbox.call("verify_quote", {"ref": ref, "quote": "Fruit Price Pears 11.5"}, Call())
    assert isinstance(answer, VerifiedQuote)
    assert answer.verdict == "normalised" and answer.content.startswith("| Fruit")
    assert opened(answer.at or "").content == answer.content
    again = app.toolbox.call("verify_quote", {"ref": ref, "quote": "Price Pears"}, Call())
    assert isinstance(again, VerifiedQuote) and again.verdict == "normalised"
