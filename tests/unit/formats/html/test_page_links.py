import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the manual, and it is long enough for prose."
LINKS = 'Next: <a href="b.html" rel="next">Logs</a>, Up: <a href="c.html" rel="up">Use</a>'


def test_a_line_of_links_to_other_pages_is_left_out() -> None:
    paragraphs = f"<p>{SENTENCE}</p>" * 5
    assert texts(f"<div class=header><p>{LINKS}</p></div><pre>code</pre>{paragraphs}")[1:] == [SENTENCE] * 5


def test_a_sentence_with_such_links_is_kept() -> None:
    page = f"<pre>code</pre><p>{SENTENCE} {SENTENCE} {LINKS}</p>" + f"<p>{SENTENCE}</p>" * 5
    assert "Next: [Logs](b.html)" in texts(page)[1]
    single = f'<pre>code</pre><p>See <a href="b.html" rel="next">Logs</a>.</p><p>{SENTENCE}</p>'
    assert texts(single)[1] == "See [Logs](b.html)."


def test_a_part_with_many_such_links_is_no_line() -> None:
    many = " ".join(f'<a href="{number}.html" rel="next">{number}</a>' for number in range(100))
    page = f"<pre>code</pre><p>{SENTENCE}</p><p>{many}</p>"
    assert texts(page)[-1].startswith("[0](0.html) [1](1.html)")


@pytest.mark.parametrize(
    "line",
    [
        '<a href="a"><span>Previous</span><span>Tokens</span></a><a href="b"><span>Next</span><span>Limits</span></a>',
        '<a href="b"><div><span>Next</span><div>Limits of it</div></div><svg></svg></a>',
        '<a href="a"><span>Vorherige Seite</span> <span>Tokens</span></a>',
        '<a href="a"><span>←</span> <span>Précédent</span><span>Jetons</span></a>',
    ],
)
def test_links_with_a_label_and_a_title_lead_to_other_pages(line: str) -> None:
    paragraphs = f"<p>{SENTENCE}</p>" * 5
    assert texts(f"<pre>code</pre>{paragraphs}<div>{line}</div>")[1:] == [SENTENCE] * 5


@pytest.mark.parametrize(
    "line",
    [
        'Previous: <a href="a">Tokens</a>, Up: <a href="b">Use</a> [<a href="i">Index</a>]',
        '<table><tr><td>[<a href="a"> &lt; </a>]</td><td>[<a href="b">Up</a>]<td>[<a href="c"> &gt;&gt; </a>]</table>',
        '<a href="#d">Values</a> <a href="a"><img alt=Home></a> <a href="b"><img alt=Up></a> <a href="c">Prev</a>',
        '<b>Next:</b> <a href="b">Limits</a> <b>Up:</b> <a href="a">Use</a> <a href="i"><img alt=index></a>',
    ],
)
def test_links_below_labels_arrows_and_pictures_lead_to_other_pages(line: str) -> None:
    assert texts(f"<pre>code</pre><div>{line}</div>" + f"<p>{SENTENCE}</p>" * 5)[1:] == [SENTENCE] * 5


@pytest.mark.parametrize(
    "line",
    [
        '<a href="a">Next to the valve</a>',
        '<a href="a"><b>Next</b> <i>steps</i></a> are those below.',
        '<a href="i">Index</a> <a href="h">Home</a> <a href="a">Pumps</a> <a href="b">Valves</a>',
        '<a href="a"><span>Previously</span><span>on it</span></a>',
        '<a href="a"><span>Next</span><span>One</span></a> <a href="b">Another page</a>',
    ],
)
def test_other_links_are_kept(line: str) -> None:
    paragraphs = f"<p>{SENTENCE}</p>" * 5
    assert len(texts(f"<pre>code</pre>{paragraphs}<div>{line}</div>")) == 7
