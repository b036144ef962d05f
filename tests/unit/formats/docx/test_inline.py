from pincite.model.document import AsideKind
from support.docx_read import all_blocks, read
from support.word import Word, lvl, p, r, styled, tbl, tc, tr
from support.word_probes import asides


def test_bookmarks_are_anchors_of_the_block_that_holds_them() -> None:
    mark = '<w:bookmarkStart w:id="{0}" w:name="{1}"/>'
    word = Word().add(mark.format(1, "before"), p("a", inside=mark.format(2, "inside") + mark.format(3, "_GoBack")))
    document = read(word.add(tbl(tr("x", tc(p("y", inside=mark.format(4, "cell")))))))
    assert [block.anchors for block in all_blocks(document)] == [("before", "inside"), ("cell",)]


def test_a_url_that_is_shown_stands_for_itself_and_a_place_in_the_document_is_no_link() -> None:
    word = Word()
    identity = word.link("https://e.org")
    link = f'<w:hyperlink r:id="{identity}">{r("https://e.org")}</w:hyperlink>'
    part = f'<w:hyperlink r:id="{identity}" w:anchor="x">{r("part")}</w:hyperlink>'
    word.add(p("", inside=f'{link} <w:hyperlink w:anchor="x">{r(" here ")}</w:hyperlink>{part}'))
    assert read(word).text == "https://e.org here [part](https://e.org#x)\n"


def test_paragraphs_that_become_one_by_a_deletion_are_one() -> None:
    word = Word().add(p("one ", "<w:rPr><w:del/></w:rPr>"), p("two"), p("", "<w:rPr><w:moveFrom/></w:rPr>"), p("three"))
    assert read(word).text == "one two\n\nthree\n"


def test_hidden_text_takes_no_number_and_a_run_may_show_itself() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1."))
    word.style("h", "h", "<w:rPr><w:vanish/></w:rPr>").style("c", "c", "<w:rPr><w:vanish/></w:rPr>", kind="character")
    number = '<w:numPr><w:numId w:val="9"/></w:numPr>'
    shown = r("shown", '<w:vanish w:val="0"/>') + r("gone", '<w:rStyle w:val="c"/>')
    document = read(word.add(styled("h", "x", number), p("", f'<w:pStyle w:val="h"/>{number}', shown)))
    assert document.text == "1. shown\n"
    assert asides(document, AsideKind.HIDDEN) == ["x", "gone"]
    assert document.coverage.hidden_spans == 2


def test_a_word_keeps_how_it_is_said() -> None:
    ruby = f"<w:r><w:ruby><w:rt>{r('kan')}</w:rt><w:rubyBase>{r('漢')}</w:rubyBase></w:ruby></w:r>"
    assert read(Word().add(p("", inside=ruby + "<w:r><w:ruby/></w:r>"))).text == "漢(kan)\n"


def test_alternatives_are_read_once_also_around_runs() -> None:
    choices = f"<mc:Choice>{r('new')}</mc:Choice><mc:Fallback>{r('old')}</mc:Fallback>"
    both = f"<mc:AlternateContent>{choices}</mc:AlternateContent>"
    assert read(Word().add(p("", inside=both + "<mc:AlternateContent/>"))).text == "new\n"


def test_superscripts_and_subscripts_are_typed_as_a_person_would() -> None:
    raised, lowered = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
    runs = r("30 m") + r("2", raised) + r(" of H") + r("2", lowered) + r("O, x") + r("1", lowered) + r(", 10")
    split = r("1", raised) + r("2", raised)
    assert read(Word().add(p("", inside=runs + split))).text == "30 m^2 of H2O, x_1, 10^12\n"


def test_formulas_of_a_paragraph_are_lines() -> None:
    formulas = "".join(f"<m:oMath><m:r><m:t>{text}</m:t></m:r></m:oMath>" for text in ("a=b", "c=d"))
    assert "a=b\nc=d" in read(Word().add(p("", inside=f"<m:oMathPara>{formulas}</m:oMathPara>"))).text.replace(
        "  \n", "\n"
    )
