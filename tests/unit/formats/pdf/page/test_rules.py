import math

import pytest

from pincite.formats.pdf.page import page as pages
from pincite.formats.pdf.page import rules as paths
from pincite.formats.pdf.page.page import PageSpace, PdfPage
from pincite.formats.pdf.page.rules import Rules, page_rules
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import opened


def rules(data: bytes) -> Rules:
    with opened(data) as page:
        return page_rules(page)


def test_rules_in_a_form_are_found_where_the_form_is_placed() -> None:
    data = drawn_pdf("q 1 0 0 1 10 20 cm /Fm Do Q", {"Fm": "50 100 m 150 100 l S"}, {"Fm": "[2 0 0 2 0 0]"})
    (rule,) = rules(data).horizontal
    assert (rule.position, rule.start, rule.end) == pytest.approx((800 - 220, 110, 310))


def test_a_thin_fill_is_a_rule_and_a_box_of_colour_is_none() -> None:
    assert len(rules(drawn_pdf("50 100 200 1 re f")).horizontal) == 1
    assert len(rules(drawn_pdf("50 100 1 200 re f")).vertical) == 1
    assert rules(drawn_pdf("0.8 g 50 100 200 50 re f")) == Rules(shades=[(50, 650, 250, 700)])
    assert (
        len(rules(drawn_pdf("50 100 m 60 100 l 60 101 l 55 101 l 54 101 l 53 101 l 52 101 l 50 101 l f")).horizontal)
        == 1
    )


def test_a_light_fill_is_seen_on_white_paper_and_one_of_the_colour_of_a_filled_page_is_not() -> None:
    assert rules(drawn_pdf("0.96 g 50 100 200 50 re f")).shades == [(50, 650, 250, 700)]
    filled = "0.96 g 0 0 2000 2000 re f"
    assert rules(drawn_pdf(f"{filled} 50 100 200 50 re f")) == Rules()
    assert rules(drawn_pdf(f"{filled} 1 g 50 100 200 50 re f")).shades == [(50, 650, 250, 700)]


def test_dots_are_pieces_of_rules_across_and_down() -> None:
    found = rules(drawn_pdf("50 100 0.75 0.7501 re f 51.5 100 0.7501 0.75 re f"))
    assert len(found.horizontal) == len(found.vertical) == 2 and not found.shades


@pytest.mark.parametrize(
    "content",
    [
        "50 100 m 250 100 l n",
        "1 G 50 100 m 250 100 l S",
        "1 g 50 100 200 1 re f",
        "50 100 m 250 100 l W n",
    ],
)
def test_what_is_not_seen_or_not_straight_draws_no_rule(content: str) -> None:
    assert rules(drawn_pdf(content)) == Rules()


@pytest.mark.parametrize(
    "arrow", ["50 100 m 250 180 l S", "50 100 m 60 104 l 60 96 l f", "50 100 m 60 104 l 60 96 l h f"]
)
def test_slanted_lines_and_heads_of_arrows_are_slants(arrow: str) -> None:
    found = rules(drawn_pdf(arrow))
    assert found.slants and not (found.horizontal or found.vertical)
    x, y = found.slants[0]
    assert 50 <= x <= 250 and 620 <= y <= 704


def test_ends_of_curves_are_kept() -> None:
    found = rules(drawn_pdf("50 100 m 160 100 170 110 170 120 c S"))
    assert found.curves[-1] == pytest.approx((170, 680)) and not found.slants


def test_curves_end_an_outline() -> None:
    found = rules(drawn_pdf("50 100 m 150 100 l 160 100 170 110 170 120 c 170 220 l S"))
    assert [rule.end - rule.start for rule in found.horizontal] == [pytest.approx(100)]


def test_a_hundred_thousand_paths_are_looked_at_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_OBJECTS", 500)
    data = drawn_pdf("".join(f"{n % 500} {n % 700} m {n % 500 + 9} {n % 700} l S\n" for n in range(100_000)))
    assert 0 < len(rules(data).horizontal) <= pages.MAX_OBJECTS


def test_a_path_of_many_points_is_looked_at_up_to_the_limit() -> None:
    points = "".join(f"{n % 600} {n % 2 * 10 + 100} l\n" for n in range(paths.MAX_POINTS * 2))
    assert len(rules(drawn_pdf(f"0 0 m\n{points}S")).vertical) <= paths.MAX_POINTS


def test_forms_in_forms_are_looked_at_up_to_a_depth() -> None:
    forms = {f"F{n}": f"50 {100 + n} m 250 {100 + n} l S /F{n + 1} Do" for n in range(40)}
    assert 0 < len(rules(drawn_pdf("/F0 Do", forms | {"F40": "n"})).horizontal) <= paths.MAX_DEPTH


def test_a_form_that_shows_itself_ends() -> None:
    assert len(rules(drawn_pdf("/F0 Do", {"F0": "50 100 m 250 100 l S /F0 Do"})).horizontal) <= paths.MAX_DEPTH


@pytest.mark.parametrize("matrix", ["1e38 0 0 1e38 0 0", "0 0 0 0 0 0", "1 0 0 1 1e30 1e30", "nan 0 0 nan 0 0"])
def test_giant_and_broken_matrices_stay_bounded(matrix: str) -> None:
    found = rules(drawn_pdf(f"q {matrix} cm 50 100 m 250 100 l S 50 100 200 1 re f /F0 Do Q", {"F0": "1 1 m 9 1 l S"}))
    edges = [edge for rule in (*found.horizontal, *found.vertical) for edge in (rule.position, rule.start, rule.end)]
    assert all(math.isfinite(edge) and abs(edge) <= paths.MAX_COORDINATE_PT + 1 for edge in edges)


def test_points_that_are_no_numbers_are_none() -> None:
    page = PdfPage(None, None, None, 1, PageSpace(0, 0, 600, 800), None)
    assert paths.displayed(math.nan, 1, (1, 0, 0, 1, 0, 0), page) is None
    assert paths.displayed(math.inf, 1, (1, 0, 0, 1, 0, 0), page) is None
