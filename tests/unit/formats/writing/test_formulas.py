"""The same formula, from a Word document and from a web page, is the same line of text."""

import re

import pytest

from pincite.formats.writing.formulas import accented, is_operator, joined, scripted
from support.docx_read import read
from support.html_pages import texts
from support.word import Word, p

SUM = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'


def in_word(inside: str) -> str:
    """The text of an equation in a Word document: `{x}` stands for a run."""
    made = re.sub("{(.+?)}", r"<m:r><m:t>\1</m:t></m:r>", inside)
    return read(Word().add(p("", inside=f"<m:oMath>{made}</m:oMath>"))).text.strip()


def on_a_page(inside: str) -> str:
    """The text of MathML: `{x}` stands for an identifier, a number or an operator by its first character."""

    def element(match: re.Match[str]) -> str:
        tag = "mn" if match[1][0].isdigit() else "mi" if match[1][0].isalpha() else "mo"
        return f"<{tag}>{match[1]}</{tag}>"

    return "".join(texts(f"<p><math>{re.sub('{(.*?)}', element, inside)}</math></p>"))


def powered(base: str, above: str) -> str:
    return f"<m:sSup><m:e>{base}</m:e><m:sup>{above}</m:sup></m:sSup>"


@pytest.mark.parametrize(
    ("word", "page", "text"),
    [
        (powered("{m}", "{2}"), "<msup>{m}{2}</msup>", "m^2"),
        ("<m:sSub><m:e>{x}</m:e><m:sub>{1}</m:sub></m:sSub>", "<msub>{x}{1}</msub>", "x_1"),
        (powered("{x}", "{2}") + "{y}", "<msup>{x}{2}</msup>{y}", "x^2 y"),
        (powered("{f}", "{\u2032}") + "{(}{x}{)}", "<msup>{f}{\u2032}</msup>{(}{x}{)}", "f\u2032(x)"),
        (powered("{90}", "{∘}"), "<msup>{90}{∘}</msup>", "90°"),
        (
            "<m:f><m:num>{a}{+}{b}</m:num><m:den>{c}</m:den></m:f>{d}",
            "<mfrac><mrow>{a}{+}{b}</mrow>{c}</mfrac>{d}",
            "(a+b)/c d",
        ),
        ("<m:rad><m:deg/><m:e>{x}{+}{1}</m:e></m:rad>", "<msqrt>{x}{+}{1}</msqrt>", "√(x+1)"),
        ("<m:rad><m:deg>{3}</m:deg><m:e>{y}</m:e></m:rad>", "<mroot>{y}{3}</mroot>", "∛(y)"),
        ("<m:rad><m:deg>{n}</m:deg><m:e>{y}</m:e></m:rad>", "<mroot>{y}{n}</mroot>", "root_n(y)"),
        (
            f"<m:nary>{SUM}<m:sub>{{i}}{{=}}{{1}}</m:sub><m:sup>{{n}}</m:sup><m:e>{{i}}</m:e></m:nary>",
            "<munderover>{∑}<mrow>{i}{=}{1}</mrow>{n}</munderover>{i}",
            "∑_(i=1)^n i",
        ),
        (
            "<m:sPre><m:sub>{6}</m:sub><m:sup>{14}</m:sup><m:e>{C}</m:e></m:sPre>",
            "<mmultiscripts>{C}<mprescripts/>{6}{14}</mmultiscripts>",
            "_6^14 C",
        ),
        ('<m:acc><m:accPr><m:chr m:val="→"/></m:accPr><m:e>{v}</m:e></m:acc>', "<mover>{v}{→}</mover>", "v\u20d7"),
        ('<m:bar><m:barPr><m:pos m:val="top"/></m:barPr><m:e>{x}</m:e></m:bar>', "<mover>{x}{¯}</mover>", "x\u0305"),
        ("<m:d><m:e>{a}</m:e></m:d>", "<mfenced>{a}</mfenced>", "(a)"),
        (
            "<m:limLow><m:e>{lim}</m:e><m:lim>{x}{→}{0}</m:lim></m:limLow>{f}",
            "<munder>{lim}<mrow>{x}{→}{0}</mrow></munder>{f}",
            "lim_(x→0)f",
        ),
    ],
)
def test_a_formula_is_one_text_in_every_format(word: str, page: str, text: str) -> None:
    assert (in_word(word), on_a_page(page)) == (text, text)


def test_the_elements_of_a_formula_are_read_before_its_tex() -> None:
    tex = "<annotation encoding='application/x-tex'>\\frac{a}{b}</annotation>"
    read_as = {
        f"<math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>{tex}</semantics></math>": "a/b",
        f"<math><semantics>{tex}</semantics></math>": "\\frac{a}{b}",
        "<math alttext='x^{2}'><msup><mi>x</mi><mn>2</mn></msup></math>": "x^2",
        "<math alttext='x^{2}'></math>": "x^{2}",
    }
    for markup, text in read_as.items():
        assert texts(f"<p>{markup}</p>") == [text]


def test_parts_are_joined_as_a_person_would_type_them() -> None:
    assert joined(["2", "x", "y"]) == "2xy"
    assert joined(["sin", "x"]) == "sin x" and joined(["12", "apples"]) == "12 apples"
    assert joined(["∑", "(a+b)"]) == "∑ (a+b)" and is_operator("∑_i")
    assert scripted("", "i", "2") == "_i^2" and accented("ab", "→") == "a\u20d7b\u20d7"
