import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(12))
READ = [f"{number}. {SENTENCE}" for number in range(12)]
PICTURE = '<a href="/other"><img src="a.png" alt="Another"></a>'
TITLE = '<h3><a href="/other">A quite different subject</a></h3>'
TEXT = f"What {SENTENCE}"


@pytest.mark.parametrize(
    "card",
    [
        f"<div>{PICTURE}{TITLE}<p>{TEXT}</p></div>",
        f'<section>{PICTURE}<h2>Not to be missed</h2>{TEXT} <a href="/other">Read on</a></section>',
        f'<li class="x">{TITLE}<a href="/by/ann">Ann</a>{PICTURE}<p>{TEXT}</p></li>',
        f"<aside><div>{PICTURE}</div><div>{TITLE}<p>{TEXT}</p></div></aside>",
    ],
)
def test_a_picture_and_a_title_that_lead_to_one_page_are_a_card_of_it(card: str) -> None:
    assert texts(f"<main><div>{PARAGRAPHS}{card}</div></main>") == READ
    assert texts(f"<main><div>{PARAGRAPHS}{card}{PARAGRAPHS}</div></main>") == READ * 2


@pytest.mark.parametrize(
    "part",
    [
        f'<div><a href="/a.jpg"><img src="a.png"></a><p>{TEXT} <a href="/a.jpg">Larger picture</a></p></div>',
        f'<div>{PICTURE}<p>{TEXT} <a href="/other">here</a>, <a href="/b">there</a></p></div>',
        f"<div>{PICTURE}<p>{TEXT}</p></div>",
        f'<div><a href="#x"><img src="a.png"></a><p>{TEXT} <a href="#x">To the part below</a></p></div>',
        f"<div>{PICTURE}{TITLE}<p>{TEXT * 9}</p></div>",
    ],
)
def test_a_picture_of_the_text_makes_no_card(part: str) -> None:
    assert TEXT in "\n".join(texts(f"<main><div>{PARAGRAPHS}{part}</div></main>"))


def test_a_card_before_the_text_may_be_its_subject() -> None:
    assert TEXT in texts(f"<main><div><div>{PICTURE}{TITLE}<p>{TEXT}</p></div>{PARAGRAPHS}</div></main>")


def test_many_cards_after_most_of_the_text_are_left_out() -> None:
    cards = "".join(
        f"<div>{PICTURE.replace('other', str(n))}{TITLE.replace('other', str(n))}<p>{n} {TEXT}</p></div>"
        for n in range(9)
    )
    assert texts(f"<main><div>{PARAGRAPHS}<div>{cards}</div></div></main>") == READ


def test_a_list_of_news_consists_of_cards() -> None:
    news = "".join(
        f'<div><a href="/{n}"><img src="a.png"></a><h3><a href="/{n}">Title number {n}</a></h3><p>{n} {TEXT}</p></div>'
        for n in range(20)
    )
    written = texts(f"<main><div><p>{SENTENCE}</p>{news}</div></main>")
    assert [f"{n} {TEXT}" in written for n in range(20)] == [True] * 20
