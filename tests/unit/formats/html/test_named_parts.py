from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]
HEADER = f"<h1>Title</h1><h2>{SENTENCE}</h2>"


def test_the_part_of_the_title_and_the_lead_is_the_article_s_whatever_its_name() -> None:
    page = f'<main><div class="commentLead">{HEADER}</div><div>{PARAGRAPHS}</div></main>'
    assert texts(page) == ["# Title", f"## {SENTENCE}", *READ]


def test_a_comment_in_documentation_is_what_describes_a_name() -> None:
    described = f'<h3>open</h3><div class="tsd-comment tsd-typography"><p>{SENTENCE}</p></div>'
    assert texts(f"<main><h1>Title</h1><p>{SENTENCE}</p>{described}</main>") == [
        "# Title",
        SENTENCE,
        "### open",
        SENTENCE,
    ]
    top = f'<div id="comment" class="fullcommenttop"><div class="comment cmt"><p>{SENTENCE}</p></div></div>'
    assert texts(f"<h1>Title</h1>{top}{PARAGRAPHS}") == ["# Title", SENTENCE, *READ]


def test_a_title_after_the_text_is_that_of_an_appeal() -> None:
    assert texts(f'<main><div>{PARAGRAPHS}</div><div class="steady-box">{HEADER}</div></main>') == READ


def test_names_that_would_leave_no_prose_are_those_of_the_text() -> None:
    posts = "".join(f'<div id="comment-{number}"><p>{number}. {SENTENCE}</p></div>' for number in range(5))
    assert texts(f"<main><h1>Title</h1>{posts}</main>") == ["# Title", *READ]
    surrounded = texts(f"<main><p>{SENTENCE}</p>{posts}</main>")
    assert surrounded == [SENTENCE]
