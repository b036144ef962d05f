import pytest

from pincite.formats.html.elements import Element
from pincite.formats.html.surroundings import is_surrounding, words_of


def element(tag: str = "div", prose: int = 0, linked: int = 0, headings: int = 0, **attributes: str) -> Element:
    named = {name.strip("_"): value for name, value in attributes.items()}
    return Element(tag, named, None, 0, 1, 100, linked, prose, headings)


@pytest.mark.parametrize(
    "name",
    [
        "comments",
        "post-comments",
        "commentList",
        "Related_Posts",
        "share-buttons",
        "x newsletter__form",
        "ad",
        "postmetadata alt",
    ],
)
def test_a_certain_name_decides_below_most_of_the_prose(name: str) -> None:
    assert is_surrounding(element(class_=name, prose=50), 100)
    assert not is_surrounding(element(class_=name, prose=61), 100)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "commentary",
        "has-sidebar",
        "is-related",
        "non-ad",
        "shared-memory",
        "advice",
        "live-match-comments",
        "live-comment",
    ],
)
def test_other_names_say_nothing(name: str) -> None:
    assert not is_surrounding(element(class_=name), 100)


def test_an_ambiguous_name_needs_links_or_little_prose() -> None:
    assert is_surrounding(element(class_="teaser", prose=5), 100)
    assert is_surrounding(element(class_="teaser", prose=50, linked=40), 100)
    assert not is_surrounding(element(class_="teaser", prose=50), 100)
    # Most of the page is the page, however many links it has.
    assert not is_surrounding(element(class_="page int-nav", prose=61, linked=40), 100)


def test_a_paywall_with_a_heading_is_an_offer_and_one_without_may_be_the_text() -> None:
    assert is_surrounding(element(class_="form-account-paywall", prose=20, headings=1), 100)
    assert not is_surrounding(element(class_="form-account-paywall", prose=40, headings=1), 100)
    assert not is_surrounding(element(class_="paywall", prose=20), 100)


def test_an_id_decides_where_no_heading_made_it() -> None:
    assert is_surrounding(element(id="site-sidebar"), 100)
    assert not is_surrounding(element(id="how-to-share-files", headings=1), 100)
    assert is_surrounding(element(id="comments", headings=1), 100)
    assert not is_surrounding(element("section", id="comments", headings=1), 100)


@pytest.mark.parametrize("tag", ["body", "article", "main", "h2", "td", "dt"])
def test_elements_of_the_content_have_names_of_the_content(tag: str) -> None:
    assert not is_surrounding(element(tag, class_="sidebar related"), 100)


def test_words_of_names_part_at_case_and_signs() -> None:
    assert words_of("jsArticle--body foo_Bar") == "js article body foo bar"


def test_signatures_and_buttons_of_forums_are_around_a_post() -> None:
    assert is_surrounding(element(class_="signature", id="sig42", prose=30), 100)
    assert is_surrounding(element("ul", class_="post-buttons", linked=20), 100)
    assert not is_surrounding(element(class_="signature", prose=31), 100)
    assert not is_surrounding(element(class_="member-signature"), 100)
