import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fa.example">Share</a>',
        '<a href="https://a.example/2018/https://twitter.com/intent/tweet?url=x"><img alt="Bird"></a>',
        '<a href="mailto:?subject=An%20article">Send it to a friend</a>',
        '<a href="/article?print=1">One page</a>',
        '<a href="/article#comments">12 comments</a>',
        '<a href="#"><img alt="Share on Facebook" src="f.png"></a>',
        '<a href="#photo-18637072"><img alt="photo" src="f.png"></a>',
        '<a href="https://www.printfriendly.com/print?url=a.example"><img alt="Print it" src="f.png"></a>',
    ],
)
def test_a_link_that_shares_prints_or_sends_the_page_is_left_out(link: str) -> None:
    assert texts(f"<main>{PARAGRAPHS}<ul><li>{link}</li></ul><p>The end.</p></main>") == [*READ, "The end."]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="https://www.facebook.com/a.club">the club</a>',
        '<a href="mailto:editor@a.example">the editor</a>',
        f'<a href="https://twitter.com/intent/tweet?text=x">{SENTENCE}</a>',
        '<a href="/prints?year=1890">a print</a>',
        '<a href="/a"><img alt="Twitter and its owner" src="t.png"></a>',
        '<a href="#comment-law">comments on the law</a>',
        '<a href="#"><img alt="The harbour at night, 1890" src="h.png"></a>',
        '<a href="#large"><img alt="The harbour at night, 1890" src="h.png"></a>',
    ],
)
def test_a_link_to_a_text_is_kept(link: str) -> None:
    assert len(texts(f"<main>{PARAGRAPHS}<p>As they say, see {link} for more.</p></main>")) == len(READ) + 1
    assert "see [" in texts(f"<main>{PARAGRAPHS}<p>As they say, see {link} for more.</p></main>")[-1]
