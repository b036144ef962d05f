import pytest

from support.html_pages import texts


@pytest.mark.parametrize(
    "main",
    ["<main>{}</main>", "<div role=main>{}</div>", "<article>{}</article>", "<div id=content>{}</div>",
     '<div class="x body">{}</div>'],
)  # fmt: skip
def test_the_container_of_most_text_is_the_content(main: str) -> None:
    assert texts("<div>Menu</div>" + main.format("<p>This is the text of it.</p>") + "<div>Legal</div>") == [
        "This is the text of it."
    ]


def test_a_container_of_little_text_is_not_the_content() -> None:
    assert texts("<article>Teaser</article><p>All the rest of the text, and more of it.") == [
        "Teaser", "All the rest of the text, and more of it.",
    ]  # fmt: skip


def test_without_a_container_all_text_is_kept_but_navigation() -> None:
    markup = (
        '<nav>n</nav><div role="search">s</div><p>a</p><aside>b</aside><div class="navbox">c</div><footer>f</footer>'
    )
    assert texts(markup) == ["a"]


ONE, OTHER = "<article><p>The first news of today.</p></article>", "<article><p>The second news.</p></article>"


def test_several_articles_are_the_content_together() -> None:
    assert texts(ONE + OTHER) == ["The first news of today.", "The second news."]
    assert texts(f"<div>Menu</div><article>{OTHER}<p>All the rest</article>") == ["The second news.", "All the rest"]
