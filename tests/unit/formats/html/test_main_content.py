import pytest

from pincite.model.document import AsideKind
from support.html_pages import read, texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]
MENU = '<div><a href="/a">One part of this site</a> <a href="/b">Another part of this site</a></div>'
MENU_TEXT = "One part of this site"


def test_what_is_left_out_is_kept_apart() -> None:
    document = read(f"{MENU}<div>{PARAGRAPHS}</div><div>Imprint</div>")
    apart = [aside.text for aside in document.asides if aside.kind is AsideKind.SURROUNDINGS]
    assert apart == ["One part of this site Another part of this site", "Imprint"]
    assert document.coverage.complete
    assert document.coverage.hidden_spans == 0


def test_what_names_call_comments_or_teasers_is_left_out_unless_it_is_the_page() -> None:
    comments = f'<div id="comments"><h2>Comments</h2><p>{SENTENCE}</p></div>'
    assert texts(f"<main>{PARAGRAPHS}{comments}</main>") == READ
    assert texts(f'<main><p>Short.</p><div class="comments">{PARAGRAPHS}</div></main>') == READ


def test_the_title_and_the_lead_before_the_body_of_an_article_belong_to_it() -> None:
    lead = f'<h1>Title</h1><div>12 May</div><div class="lead">{SENTENCE}</div><p>By the way: {SENTENCE}</p>'
    page = f'<main><header>{lead}</header><div class="article-body">{PARAGRAPHS}</div><div>Read on</div></main>'
    assert texts(page) == ["# Title", SENTENCE, f"By the way: {SENTENCE}", *READ]


def test_a_linked_title_is_the_site_s() -> None:
    page = f'<h1><a href="/">The Daily Page</a></h1><div itemprop="articleBody">{PARAGRAPHS}</div>'
    assert texts(page) == READ


@pytest.mark.parametrize("mark", ["<pre>code</pre>", f"<dl>{'<dt>a<dd>A part of the program.' * 3}</dl>"])
def test_pages_with_code_or_definitions_are_kept_as_they_are(mark: str) -> None:
    page = f'{mark}{MENU}<div>{PARAGRAPHS}</div><div class="related">Related</div>'
    assert [text for text in texts(page) if "site" in text or text == "Related"] != []


def test_a_page_of_a_wiki_is_kept_as_it_is() -> None:
    links = "".join(f'<li><a href="/{number}">A species of bird</a></li>' for number in range(9))
    (birds,) = texts(f'<div id="mw-content-text"><ul class="x">{links}</ul></div>')
    assert birds.count("A species of bird") == 9


def test_the_table_of_related_pages_of_a_wiki_is_left_out() -> None:
    table = '<table class="vertical-navbox nowraplinks"><tr><td><a href="/a">A related page</a></td></tr></table>'
    assert texts(f'<div id="mw-content-text">{table}{PARAGRAPHS}</div>') == READ


def test_of_a_page_of_little_prose_names_alone_leave_out() -> None:
    assert texts(f'<p>{SENTENCE}</p><div class="related">Related</div>') == [SENTENCE]
    assert texts(f"<p>{SENTENCE}</p><div>Related</div>") == [SENTENCE, "Related"]


def test_of_documentation_the_parts_that_are_named_as_surroundings_are_left_out() -> None:
    page = f'{PARAGRAPHS}<pre>code</pre><div class="share-buttons">Share</div><ul class="x"><li><a href="/a">A</a></ul>'
    assert texts(page) == [*READ, "```\ncode\n```", "- [A](/a)"]


def test_a_page_of_names_and_links_alone_is_not_emptied() -> None:
    assert texts('<div class="sidebar"><p>Only this</p></div>') == ["Only this"]
    assert texts('<div class="x"><a href="/a">Nothing but a link to this</a></div>') == [
        "[Nothing but a link to this](/a)"
    ]


def test_small_forms_are_left_out_and_large_ones_are_the_page() -> None:
    assert texts(f"<form>Name</form>{PARAGRAPHS}") == READ
    assert texts(f"<form>{PARAGRAPHS}</form>") == READ


def test_comments_longer_than_the_article_are_left_out() -> None:
    comments = f'<ol class="commentlist"><li>{PARAGRAPHS * 5}</ol>'
    assert texts(f"<main>{PARAGRAPHS}{comments}</main>") == READ


def test_the_credit_of_a_picture_is_left_out() -> None:
    credit = '<div>The harbour at dawn <span class="image-credit">Photo: J. Doe</span></div>'
    assert texts(f"<main>{PARAGRAPHS}{credit}</main>") == [*READ, "The harbour at dawn"]


def test_the_title_and_standfirst_in_a_header_before_the_article_belong_to_it() -> None:
    header = f"<header><h1>Title</h1><p>Standfirst: {SENTENCE}</p></header>"
    assert texts(f"{MENU}{header}<article>{PARAGRAPHS}</article>") == ["# Title", f"Standfirst: {SENTENCE}", *READ]
    site = f"<header><h1><a href='/'>The site</a></h1><p>{SENTENCE}</p></header>"
    assert texts(f"{site}<article>{PARAGRAPHS}</article>") == READ


def test_a_page_whose_text_is_shown_without_scripts_alone_is_read() -> None:
    script = "<script>const framework = 'a long program that builds the page';</script>" * 9
    assert texts(f"<body><div id=root></div>{script}<noscript>{PARAGRAPHS}</noscript>") == READ
    assert texts(f"<body>{PARAGRAPHS}<noscript>Turn on scripts to log in.</noscript>") == READ


def test_a_few_definitions_do_not_make_an_article_documentation() -> None:
    address = "<dl><dt>E-mail<dd>a@b.org<dt>Phone<dd>12<dt>Fax<dd>13</dl>"
    related = f'<div class="related"><p>{SENTENCE}</p></div>'
    assert texts(f"<main>{PARAGRAPHS * 3}{related}<p>{SENTENCE}{address}</main>")[15] == SENTENCE
    assert MENU_TEXT not in "".join(texts(f"{MENU}<div>{PARAGRAPHS * 3}{address}</div>"))


def test_menus_that_are_written_as_definitions_make_no_documentation_of_a_page() -> None:
    menu = "".join(f'<dl><dt>Part {n}</dt><dd><a href="/{n}">One part of this site</a></dd></dl>' for n in range(9))
    assert texts(f"<div>{menu}</div><div><div>{PARAGRAPHS}</div></div>") == READ
