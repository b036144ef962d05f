import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


@pytest.mark.parametrize(
    "label",
    [
        *("3 Comments", "Leave a reply", "Kommentar schreiben", "Keine Kommentare", "12 commentaires", "2 Reacties"),
        *("Deja un comentario", "5 thoughts on “The harbour”", "Comments are closed."),
    ],
)
def test_nothing_of_an_article_follows_its_comments(label: str) -> None:
    assert texts(f"<main><div>{PARAGRAPHS}<h3>{label}</h3><p>{SENTENCE}</p><p>I agree.</p></div></main>") == READ


@pytest.mark.parametrize(
    "label", ["About the author", "Über die Autorin", "Newsletter", "Subscribe to our newsletter", "Share this:"]
)
def test_a_section_is_left_out_with_what_its_heading_begins(label: str) -> None:
    section = f"<div><div><h4>{label}</h4></div><p>A little text.</p></div>"
    assert texts(f"<main><div>{PARAGRAPHS}{section}<p>The end.</p></div></main>") == [*READ, "The end."]


@pytest.mark.parametrize("label", ["You may also like", "Related articles", "Vous aimerez aussi", "Ähnliche Beiträge"])
def test_cards_of_other_articles_are_left_out_with_their_texts(label: str) -> None:
    cards = '<div><a href="/x">Another one</a><p>What it is about, in a line.</p></div>'
    assert texts(f"<main>{PARAGRAPHS}<section><h2>{label}</h2>{cards}</section></main>") == READ
    assert texts(f"<main>{PARAGRAPHS}<section><h2>{label}</h2><p>{SENTENCE}</p></section></main>")[5:] == [
        f"## {label}",
        SENTENCE,
    ]


@pytest.mark.parametrize("label", ["Comments", "Newsletter", "Author"])
def test_the_same_heading_before_the_text_is_the_article_s(label: str) -> None:
    assert texts(f"<main><h2>{label}</h2>{PARAGRAPHS}</main>") == [f"## {label}", *READ]


@pytest.mark.parametrize("label", ["Kommentar", "Commentary", "Shared memory", "Authors and their rights", "Followers"])
def test_other_headings_say_nothing(label: str) -> None:
    assert texts(f"<main>{PARAGRAPHS}<h2>{label}</h2><p>A little text.</p></main>")[5:] == [
        f"## {label}",
        "A little text.",
    ]


def test_a_heading_with_the_id_of_comments_is_one_whatever_it_says_and_however_long_they_are() -> None:
    comments = f'<h2 id="comments">Und was meinst du?</h2><p>{SENTENCE * 3}</p>'
    assert texts(f"<main><div>{PARAGRAPHS}{comments}</div></main>") == READ
    other = comments.replace('id="comments"', 'id="comments-on-the-law"')
    assert texts(f"<main><div>{PARAGRAPHS}{other}</div></main>")[5] == "## Und was meinst du?"


def test_a_heading_over_nothing_but_links_is_left_out_with_them() -> None:
    links = '<div class="x"><a href="/a">Another article of this site</a></div>'
    assert texts(f"<main>{PARAGRAPHS}<section><h2>From the archive</h2>{links}</section></main>") == READ
