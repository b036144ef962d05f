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
