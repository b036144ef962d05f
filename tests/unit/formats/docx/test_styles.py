import pytest

from support.docx_read import read
from support.word import Word, styled
from support.word_probes import headings


@pytest.mark.parametrize(
    ("name", "level"), [("heading 4", 4), ("Überschrift 2", 2), ("Titre 3", 3), ("標題 1", 1), ("Title", 1)]
)
def test_a_heading_is_known_by_the_name_of_its_style(name: str, level: int) -> None:
    assert headings(read(Word().style("x", name).add(styled("x", "T")))) == [(level, "T")]


def test_a_style_may_take_its_paragraphs_out_of_the_outline() -> None:
    word = Word().style("x", "Body", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', based_on="Heading1")
    assert headings(read(word.add(styled("x", "T")))) == []


def test_a_style_without_an_id_is_of_no_paragraph() -> None:
    word = Word().style("", "EmptyCellLayoutStyle", '<w:rPr><w:sz w:val="2"/></w:rPr>')
    assert read(word.add("<w:p><w:r><w:t>T</w:t></w:r></w:p>")).text == "T\n"


def test_styles_that_are_based_on_each_other_end() -> None:
    word = Word().style("x", "x", based_on="y").style("y", "y", based_on="x")
    assert read(word.add(styled("x", "T"))).text == "T\n"


@pytest.mark.parametrize(
    ("name", "role"),
    [("Note", "note"), ("NO", "note"), ("Example continued", "example"), ("Informative Text", "informative"),
     ("footnote text", ""), ("Normal", "")],
)  # fmt: skip
def test_a_style_says_what_its_paragraphs_are(name: str, role: str) -> None:
    document = read(Word().style("x", name).add(styled("x", "T")))
    assert [block.role for section in document.sections for block in section.blocks] == [role]
