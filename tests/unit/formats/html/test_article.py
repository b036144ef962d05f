from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]
MENU = '<div><a href="/a">One part of this site</a> <a href="/b">Another part of this site</a></div>'


def test_the_prose_of_a_page_without_a_container_is_its_content() -> None:
    page = f"{MENU}<div><div><div>{PARAGRAPHS}</div></div></div><div>Imprint</div>"
    assert texts(page) == READ


def test_lists_of_links_are_left_out_but_not_plain_ones() -> None:
    links = "".join(f'<li><a href="/{number}">Another article of this site</a></li>' for number in range(3))
    assert texts(f'<main>{PARAGRAPHS}<ul class="x">{links}</ul></main>') == READ
    written = texts(f"<main>{PARAGRAPHS}<h2>Further reading</h2><ul>{links}</ul></main>")
    assert written[5] == "## Further reading"
    assert written[6].count("Another article of this site") == 3


def test_cells_of_links_are_no_list_of_links() -> None:
    cells = "<tr><td><a href=/a>A first long name</a><td><a href=/b>A second long name</a>" * 2
    assert len(texts(f"<main>{PARAGRAPHS}<div><table><tr><th>A<th>B{cells}</table></div></main>")) == 6


def test_text_that_is_no_prose_counts_for_the_choice_of_the_part() -> None:
    data = "".join(f"<div>{n} pieces of it</div>" for n in range(12))
    page = f"<div><h2>What you need</h2>{data}</div><div><h2>What to do</h2>{PARAGRAPHS}</div>"
    assert texts(f"<main><div>{page}</div></main>")[0] == "## What you need"


def test_prose_in_several_parts_is_kept_whole() -> None:
    parts = f"<div>{PARAGRAPHS}</div>" * 3
    assert texts(f"<div>{parts}</div>") == READ * 3


def test_a_heading_that_is_linked_to_itself_is_no_list_of_links() -> None:
    heading = '<div><a name="h4"></a><h1><a href="#h4">4 Elements of a document</a></h1></div>'
    assert texts(f"<main>{PARAGRAPHS}{heading}{PARAGRAPHS}</main>") == [*READ, "# 4 Elements of a document", *READ]


def test_an_article_inside_a_side_bar_that_is_the_page_is_read() -> None:
    assert texts(f"<main><aside><article>{PARAGRAPHS}</article></aside></main>") == READ
    assert texts(f"<main>{PARAGRAPHS}<aside><article><p>{SENTENCE}</p></article></aside></main>") == READ


def test_points_before_an_article_that_are_named_as_its_subtitle_belong_to_it() -> None:
    points = f'<div class="subtitulo"><ul><li>First: {SENTENCE}<li>Second: {SENTENCE}</ul></div>'
    page = f'<main><div>{points}<div class="article-body">{PARAGRAPHS}</div></div></main>'
    assert texts(page) == [f"- First: {SENTENCE}\n- Second: {SENTENCE}", *READ]
