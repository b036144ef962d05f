import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


def replies(item: str, count: int = 9) -> str:
    return "".join(item.format(number, SENTENCE) for number in range(count))


@pytest.mark.parametrize(
    "item",
    [
        '<li id="comment-{0}"><b>Ann</b><p>{1}</p></li>',
        '<div id="div-comment-{0}"><p>{1}</p></div>',
        '<li class="fil"><div><a href="#forum{0}" name="forum{0}">#</a></div><div>{1}</div></li>',
        '<dt id="c1234567890123{0}">Ann</dt><dd>{1}</dd>',
        '<div class="x"><a name="c_185081{0}" href="#">#</a><h3>Re: it</h3><p>{1}</p></div>',
        '<li id="kommentar-{0}"><div id="div-kommentar-{0}">{1}</div></li>',
    ],
)
def test_a_list_of_comments_is_left_out_however_long_it_is(item: str) -> None:
    lists = f"<div><h2>9 Comments</h2><div>{replies(item)}</div></div>"
    assert texts(f"<main><div>{PARAGRAPHS}</div>{lists}</main>") == READ


def test_comments_among_the_paragraphs_are_left_out_one_by_one() -> None:
    comments = replies('<div id="comment-{0}"><p>{1}</p></div>', 3)
    assert texts(f"<main><div>{PARAGRAPHS}{comments}<p>The end of it.</p></div></main>") == [*READ, "The end of it."]


def test_answers_to_a_comment_are_left_out_with_it() -> None:
    inner = f'<ol class="children"><li id="comment-2"><p>{SENTENCE}</p></li></ol>'
    page = f'<ol class="x"><li id="comment-1"><p>{SENTENCE}</p>{inner}</li></ol>'
    assert texts(f"<main><div>{PARAGRAPHS}</div>{page}</main>") == READ


def test_a_single_comment_is_its_own_element() -> None:
    assert texts(f'<main><div>{PARAGRAPHS}</div><div id="comment-7"><p>{SENTENCE}</p></div></main>') == READ
    page = f'<main><div>{PARAGRAPHS}<p>And <a name="comment-7">here</a>: {SENTENCE}</p></div></main>'
    assert len(texts(page)) == 6


@pytest.mark.parametrize(
    "item",
    ['<div id="comment-{0}"><p>{1}</p></div>', '<div id="c39{0}"><p>{1}</p></div>', '<p id="commentary">{1}</p>'],
)
def test_a_thread_and_numbered_parts_are_the_text(item: str) -> None:
    assert texts(f"<main><h1>Title</h1>{replies(item)}</main>") == ["# Title", *[SENTENCE] * 9]


def test_definitions_of_comments_make_no_documentation_of_a_page() -> None:
    comments = f"<dl>{replies('<dt id=c1234567890123{0}>Ann</dt><dd>{1}</dd>')}</dl>"
    menu = '<div><a href="/a">One part of this site</a> <a href="/b">Another part of this site</a></div>'
    assert texts(f"{menu}<div>{PARAGRAPHS}</div><div>{comments}</div>") == READ
