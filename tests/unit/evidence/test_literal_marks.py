"""Marks that are text, in code or escaped: a quote of the rendered page with them is in the document."""

import re

from markdown_it import MarkdownIt

from pincite.evidence.quotes import verify
from pincite.evidence.search import prepare
from support.quoting import rendered

MARKS = [
    "-", "--", "---", "–", "—", "--- Page N ---", "=== sheet ===", "++", "a--b", "a -- b", "--flag", "--5",
    "*", "**", "***", "*a*", "* * *", "_", "_a_", "__init__", "~~", "~~~", "2*3*4", "...",
    "|", "a | b", "a || b", "|---|", "|:--|", "`", "``", "```", "\\", "\\*", "\\|", "^", "$x_1$",
    "<b>", "<br>", "<td>", "<!-- x -->", "&amp;", "&nbsp;", "&#124;", "<https://a.b>",
    "[x](y)", "[x]", "![a](b)", "# one", "- [ ] todo", "> q", "1. one", "5 - 3", "-5", "10--20",
]  # fmt: skip
PLACES = [
    "The lines that are {} written into it.",
    "{} is written into the text first.",
    "What is written into the text is {}",
    "The lines {}, and {} between slides.",
    "The lines ({}) of the file.",
    "The lines **{} of** the file.",
    "## Use of {} in a file",
    "- first thing {} of it\n- second",
    "> the words {} of it",
    "The lines that are\n{}\nwritten into the text.",
]
CELLS = [
    "| head line | other |\n|---|---|\n| value {} here | more text |",
    "| head line | other |\n|---|---|\n| {} | more text in the cell |",
]
PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def code(mark: str) -> str:
    ticks = next("`" * count for count in range(1, 9) if "`" * count not in mark)
    space = " " if "`" in (mark[0], mark[-1]) else ""
    return f"{ticks}{space}{mark}{space}{ticks}"


def escaped(mark: str) -> str:
    return PUNCTUATION.sub(r"\\\g<0>", mark)


def documents() -> list[str]:
    """Each mark as code and escaped, in each place; bars of cells are escaped once more, as tables need it."""
    inserts = [(code(mark), code(mark).replace("|", r"\|")) for mark in MARKS if mark != r"\|"]
    inserts += [(escaped(mark), escaped(mark)) for mark in MARKS]
    return [place.replace("{}", insert) for insert, _ in inserts for place in PLACES] + [
        cell.replace("{}", insert) for _, insert in inserts for cell in CELLS
    ]


def test_a_quote_of_the_rendered_page_has_its_literal_marks() -> None:
    wrong: list[tuple[str, str, str]] = []
    for passage in documents():
        text = f"Title of it\n\n{passage}\n\nLast words.\n"
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        quotes = [rendered(token.children or []) for token in tokens if token.type == "inline"]
        document = prepare(text)
        for quote in filter(re.compile("[A-Za-z]{3}").search, quotes):
            verdict = verify(quote, document, (0, len(text))).verdict
            if verdict not in ("exact", "normalised"):
                wrong.append((passage, quote, verdict))
    assert wrong == [], "\n".join(map(str, wrong))


def test_a_quote_of_code_is_the_code_that_the_block_has() -> None:
    for mark in MARKS:
        text = f"Call it so:\n\n~~~~~~\nfirst line of code\n{mark} the second\n~~~~~~\n\nLast words.\n"
        assert verify(f"first line of code {mark} the second", prepare(text), (0, len(text))).verdict in (
            "exact",
            "normalised",
        ), mark
