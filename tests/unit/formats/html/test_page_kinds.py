"""Pages of 27 kinds in the markup of those who write them; attributes mark content and what surrounds it."""

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.html_pages import read

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))


def words(text: str) -> str:
    """A text without marks of Markdown, in single spaces."""
    return " ".join(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text).translate(str.maketrans("*`|\\", "    ")).split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_content_is_kept_and_what_surrounds_it_is_left_out(page: Path) -> None:
    markup = page.read_text("utf-8")
    text = words(read(markup).text)
    tree = LexborHTMLParser(markup)
    kept = [words(element.text()) for element in tree.css("[data-kept]")]
    left_out = [words(element.text()) for element in tree.css("[data-left-out]")]
    assert [passage for passage in kept if passage not in text] == []
    assert [passage for passage in left_out if passage in text] == []


def test_there_are_pages_of_27_kinds() -> None:
    assert len(PAGES) == 27
