import pytest

from pincite.model.document import BlockKind
from support.html_pages import blocks, read, texts


def test_code_is_verbatim_and_knows_its_language() -> None:
    document = read('<pre><code class="language-c++">\n  <b>int</b> a;\n\n\tb &lt; c;\n</code></pre>')
    (block,) = blocks(document)
    assert (block.kind, block.language) == (BlockKind.CODE, "c++")
    assert document.text == "```c++\n\n  int a;\n\n\tb < c;\n```\n"


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>', "python3"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<pre class="brush: java">x</pre>', "java"),
        ('<div class="sourceCode"><pre class="sourceCode rust"><code>x</code></pre></div>', "rust"),
        ('<div class="language-yaml highlighter-rouge"><pre>x</pre></div>', "yaml"),
        ('<pre data-lang="go">x</pre>', "go"),
        ('<div class="highlight-default"><pre>x</pre></div>', ""),
        ('<pre class="language-none">x</pre>', ""),
        ("<pre>x</pre>", ""),
    ],
)
def test_a_language_is_named_in_many_ways(markup: str, language: str) -> None:
    assert [block.language for block in blocks(read(markup))] == [language]


def test_code_of_lines_has_line_ends_and_no_line_numbers() -> None:
    lines = '<div class="line">a</div><div class="line">b</div>c<br>d<button>Copy</button>'
    assert texts(f'<pre><span class="lineno">1</span>{lines}<i hidden>no</i></pre>') == ["```\na\nb\nc\nd\n```"]


def test_numbered_code_in_a_table_is_code() -> None:
    cells = '<td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td>'
    assert texts(f"<table class=highlighttable><tr>{cells}</table>") == ["```\na\nb\n```"]


@pytest.mark.parametrize("column", ["<pre>7\n8</pre>", "<div><pre>7\n8\n</pre></div>"])
def test_a_column_of_the_numbers_of_the_lines_beside_it_is_no_code(column: str) -> None:
    row = f'<td class="listing_lines">{column}</td>\n<td><pre>a\nb</pre></td>'
    assert texts(f"<table><tr>{row}</table>") == ["```\na\nb\n```"]
    others = row.replace("a\nb", "a\nb\nc")
    assert texts(f"<table><tr>{others}</table>") == ["```\n7\n8\n```", "```\na\nb\nc\n```"]


def test_lines_without_line_ends_between_them_are_lines() -> None:
    spans = '<span class="highlight-line">a</span><span class="highlight-line">  b</span>'
    assert texts(f"<pre><code>{spans}</code></pre>") == ["```\na\n  b\n```"]
    ended = '<span class="line">a</span>\n<span class="line">b</span>'
    assert texts(f"<pre><code>{ended}</code></pre>") == ["```\na\nb\n```"]


def test_code_in_two_syntaxes_in_one_block_is_one_after_the_other() -> None:
    assert "import a\nconst a" in read("<pre><code>import a</code><code>const a</code><button>copy</button></pre>").text


def test_a_fragment_of_doxygen_is_code() -> None:
    number = '<span class="lineno">1</span>&#160;'
    lines = f'<div class="line">{number}if (a)</div><div class="line">{number}  b();</div>'
    for between in ("", "\n"):
        fragment = lines.replace("</div>", f"</div>{between}")
        assert texts(f'<div class="fragment">{fragment}</div>') == ["```\nif (a)\n  b();\n```"]
    assert texts('<div class="fragment">A fragment of a vase.</div>') == ["A fragment of a vase."]
