import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


@pytest.mark.parametrize(
    "line",
    [
        '<p>Tags: <a href="/t/a">gardens</a>, <a href="/t/b">roses</a></p>',
        '<div>Kategorie: <a href="/k">News</a></div>',
        '<p>Posted in <a href="/k">Travel</a></p>',
        '<p><a href="/">Home</a> / <a href="/g">Garden</a> / Roses in winter</p>',
        '<div>Sie sind hier: <a href="/">Start</a> &gt; Rosen</div>',
        '<p>Follow us on <a href="https://facebook.com/a">Facebook</a> and <a href="https://x.com/a">Twitter</a>!</p>',
        '<p>Folgt uns auch auf <a href="https://instagram.com/a">Instagram</a>.</p>',
        '<p>Did you like it? Sign up for <a href="/newsletter">our newsletter</a>, every week in your inbox.</p>',
        '<p>Hat Ihnen der Artikel gefallen? Dann freuen wir uns über <a href="/s">eine Spende</a>.</p>',
        "<p>If you enjoyed reading this post, would you consider supporting our work?</p>",
        "<p>Warning: Undefined variable $a in /var/www/html/theme/header.php on line 12</p>",
    ],
)
def test_a_line_that_a_site_adds_to_each_text_is_left_out(line: str) -> None:
    assert texts(f"<main>{PARAGRAPHS}{line}<p>The end.</p></main>") == [*READ, "The end."]


@pytest.mark.parametrize(
    "line",
    [
        "Tags: a short history of the word",
        'Topics of <a href="/c">the conference</a> were roses, tulips and other flowers.',
        "Home is where the heart is / or not.",
        "The publisher wrote that all rights reserved for authors had been in danger for years, as had theirs.",
        'They follow the rule that <a href="https://facebook.com/a">a club on Facebook</a> has published.',
        'The firm sends <a href="/the-firm">a newsletter</a> to its customers each week.',
        "If you like this kind of bread, add more salt to it and bake it for an hour.",
        "Warning: Do not open in rooms without a window on line 12.",
    ],
)
def test_a_sentence_of_the_text_is_kept(line: str) -> None:
    assert len(texts(f"<main>{PARAGRAPHS}<p>{line}</p></main>")) == len(READ) + 1


def test_keywords_may_follow_their_label_in_a_box_of_its_own() -> None:
    line = '<div class="x"><div class="y">Kategorien</div> <a class="y" href="/news/">News</a></div>'
    assert texts(f"<main><div>{PARAGRAPHS}{line}</div></main>") == READ


def test_a_short_article_around_an_offer_is_kept() -> None:
    offer = '<p>Get <a href="/newsletter">our newsletter</a> each week.</p>'
    assert texts(f"<main><div>{PARAGRAPHS}{offer}</div></main>") == READ
