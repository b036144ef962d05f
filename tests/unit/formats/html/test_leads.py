import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


@pytest.mark.parametrize("first", ["<h2>The title of this long article</h2>", f"<h1>Title</h1><h2>{SENTENCE}</h2>"])
def test_a_title_and_a_standfirst_with_links_to_share_below_are_kept(first: str) -> None:
    links = '<p class="by"><a href="/a">A. Author</a> <a href="/s">Send it</a> <a href="/p">Print it out</a></p>'
    page = f'<main><header>{first}{links}</header><div class="article-body">{PARAGRAPHS}</div></main>'
    assert len(texts(page)) == len(READ) + first.count("</h")


def test_a_sentence_below_the_title_is_kept_and_a_date_with_an_author_is_not() -> None:
    line = "<div>Posted by A. Rather Long Name, the editor, on 19 November 2019, 6:21 AM EST</div>"
    header = f"<header><h1>Title</h1><h5>{SENTENCE}</h5>{line}</header>"
    page = f'<main>{header}<div class="article-body">{PARAGRAPHS}</div></main>'
    assert texts(page) == ["# Title", f"##### {SENTENCE}", *READ]


def test_a_standfirst_in_the_group_of_the_title_and_key_points_are_kept() -> None:
    points = f'<div class="x-keyPoints"><ul><li>{SENTENCE}</li><li>Second point. {SENTENCE}</li></ul></div>'
    title = f"<hgroup><h1>Title</h1>{SENTENCE}</hgroup>"
    page = f'<main><div>{title}</div>{points}<div class="article-body">{PARAGRAPHS}</div></main>'
    assert texts(page) == ["# Title", SENTENCE, f"- {SENTENCE}\n- Second point. {SENTENCE}", *READ]


def test_a_title_of_any_level_that_is_named_so_is_kept() -> None:
    title = '<h4 class="post_title">Six words are a title</h4>'
    page = f'<main><div>{title}<div class="by">Ann</div><div class="post-body">{PARAGRAPHS}</div></div></main>'
    assert texts(page) == ["#### Six words are a title", *READ]
    assert texts(page.replace("post_title", "x")) == READ


def test_a_title_in_the_text_is_kept_above_a_table_of_contents_that_is_not() -> None:
    contents = '<div class="x"><a href="#1">The first part of it</a> <a href="#2">The second part of it</a></div>'
    menu = f"<div><div>{SENTENCE}</div><div>{SENTENCE}</div></div>"
    text = PARAGRAPHS * 3
    page = f"<body>{menu}<div><h2>{SENTENCE}</h2>{contents}{text}</div></body>"
    assert texts(page) == [f"## {SENTENCE}", *READ * 3]


def test_the_notes_of_an_article_are_kept() -> None:
    notes = (
        f'<div class="footnotes"><p>[1] {SENTENCE}</p></div><div class="notes-of-the-shop"><a href="/a">Notes</a></div>'
    )
    page = f'<main><div class="article-body">{PARAGRAPHS}</div><div>Read on</div>{notes}</main>'
    assert texts(page) == [*READ, f"[1] {SENTENCE}"]


def test_a_list_of_literature_whose_names_are_marked_up_is_kept() -> None:
    names = "<span>Zhao, J.</span> &amp; <span>Simon, S. L.</span> <span>Nature Physics</span> (2013)."
    entry = f'<li>{names} <a href="/d">doi</a></li>'
    literature = (
        f'<section><div id="references"><h2>References</h2><ol class="references">{entry}{entry}</ol></div></section>'
    )
    page = f'<main><div class="article-body">{PARAGRAPHS}</div>{literature}</main>'
    assert texts(page)[5] == "## References"
    assert texts(page)[6].count("Zhao, J. & Simon, S. L. Nature Physics (2013).") == 2


def test_the_name_in_the_header_of_a_manual_page_belongs_to_it() -> None:
    name = f'<h2>NAME</h2><div class="sectionbody"><p>{SENTENCE}</p></div>'
    header = f'<div id="header"><h1>tag(1) Manual Page</h1>{name}</div>'
    page = f'<body>{header}<div id="content"><h2>SYNOPSIS</h2><pre>tag</pre>{PARAGRAPHS}</div></body>'
    assert texts(page)[:4] == ["# tag(1) Manual Page", "## NAME", SENTENCE, "## SYNOPSIS"]
    menu = page.replace(
        f"<p>{SENTENCE}</p>", '<a href="/a">One part of the site</a> <a href="/b">Another part of it</a>'
    )
    assert texts(menu)[0] == "## SYNOPSIS"
