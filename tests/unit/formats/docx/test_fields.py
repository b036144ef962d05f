import pytest

from pincite.model.document import BlockKind
from support.docx_read import read
from support.word import Word, field, p, r, styled
from support.word_probes import headings, text


def test_contents_are_apart_from_the_text_and_under_their_heading() -> None:
    word = Word().style("t1", "toc 1").style("th", "TOC Heading", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    entries = styled("th", "Contents") + styled("t1", "A\t1") + p("B\t2")
    document = read(word.add(f"<w:sdt>{gallery}<w:sdtContent>{entries}</w:sdtContent></w:sdt>", styled("t1", "C")))
    assert headings(document) == [(1, "Contents")]
    assert text(document, BlockKind.CONTENTS) == "A\t1\nB\t2\nC"


def test_a_field_shows_its_result_alone() -> None:
    inner = field(" PAGEREF x ", r("7"))
    assert read(Word().add(p("page ", inside=field(" REF y ", r("see ") + inner)))).text == "page see 7\n"


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        ('HYPERLINK "https://e.org/a" \\l "part"', "[x](https://e.org/a#part)"),
        ("HYPERLINK https://e.org/a", "[x](https://e.org/a)"),
        ('HYPERLINK \\l "part"', "x"),
        ('HYPERLINK "https://e.org/a b"', "[x](<https://e.org/a b>)"),
        ("PAGE", "x"),
    ],
)
def test_a_link_may_be_a_field(instruction: str, shown: str) -> None:
    assert read(Word().add(p("", inside=field(instruction.replace('"', "&quot;"), r("x"))))).text == f"{shown}\n"
    simple = f'<w:fldSimple w:instr="{instruction.replace(chr(34), "&quot;")}">{r("x")}</w:fldSimple>'
    assert read(Word().add(p("", inside=simple))).text == f"{shown}\n"


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        ("eq \\o\\ac(○,12)", "⑫"),
        ("EQ \\o(○,a)", "ⓐ"),
        ("EQ \\f(1,2)", "½"),
        ("EQ \\f(\\r(5);7)", "5/7"),
        ("EQ x\\s\\up5(2)", "x2"),
        ("MACROBUTTON NoMacro [Type the name]", "[Type the name]"),
        ("TOC \\o", ""),
    ],
)
def test_a_field_without_a_result_shows_an_equation_or_a_button(instruction: str, shown: str) -> None:
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    inside = f"{begin}<w:r><w:instrText>{instruction}</w:instrText></w:r>{end}{r('!')}"
    assert read(Word().add(p("", inside=inside))).text == f"{shown}!\n"


def test_a_link_that_runs_over_paragraphs_is_one_in_each() -> None:
    begin, end = field(' HYPERLINK "https://e.org" ', r("one") + "|").split("|")
    document = read(Word().add(p("", inside=begin), p("two", inside=end)))
    assert document.text == "[one](https://e.org)\n\n[two](https://e.org)\n"


def test_an_instruction_that_does_not_end_hides_one_paragraph_at_most() -> None:
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    stray = (
        '<w:r><w:fldChar w:fldCharType="separate"/><w:fldChar w:fldCharType="end"/><w:instrText>no</w:instrText></w:r>'
    )
    closed = f'{broken}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    word = Word().add(p("a", inside=broken + r("lost")), p("b", inside=stray), p("c", inside=closed + r("d")))
    assert read(word).text == "a\n\nb\n\ncd\n"


def test_form_fields_show_their_value() -> None:
    def form(data: str) -> str:
        begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar>'
        return f'<w:r>{begin}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'

    boxes = [form(f"<w:checkBox><w:{said}/></w:checkBox>") for said in ("checked", 'default w:val="0"')]
    choice = form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>')
    none = form('<w:ddList><w:result w:val="9"/></w:ddList>')
    assert read(Word().add(p("", inside="".join([*boxes, choice, none])))).text == "☒☐yes\n"
