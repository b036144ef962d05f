import re

import pytest

from support.docx_read import read
from support.word import Word, p


def _m(inside: str) -> str:
    """An equation: `{x}` stands for a run."""
    return "<m:oMath>" + re.sub("{(.*?)}", r"<m:r><m:t>\1</m:t></m:r>", inside) + "</m:oMath>"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("<m:sSup><m:e>{x}</m:e><m:sup>{n+1}</m:sup></m:sSup>", "x^(n+1)"),
        ("<m:sSub><m:e>{x}</m:e><m:sub>{i}</m:sub></m:sSub>", "x_i"),
        ("<m:sSubSup><m:e>{x}</m:e><m:sub>{i}</m:sub><m:sup>{2}</m:sup></m:sSubSup>", "x_i^2"),
        ("<m:sPre><m:sub>{6}</m:sub><m:sup>{14}</m:sup><m:e>{C}</m:e></m:sPre>", "_6^14 C"),
        ("<m:rad><m:deg/><m:e>{x}</m:e></m:rad>", "√(x)"),
        ("<m:rad><m:deg>{3}</m:deg><m:e>{x}</m:e></m:rad>", "∛(x)"),
        ("<m:rad><m:deg>{n}</m:deg><m:e>{x}</m:e></m:rad>", "root_n(x)"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{i}</m:sub><m:e>{x}</m:e></m:nary>', "∑_i x"),
        ("<m:nary><m:sub>{a+1}</m:sub><m:sup>{b}</m:sup><m:e>{x}</m:e></m:nary>", "∫_(a+1)^b x"),
        ("<m:nary><m:e>{x}</m:e></m:nary>", "∫ x"),
        ("<m:d><m:e>{a}</m:e><m:e>{b}</m:e></m:d>", "(a|b)"),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{a}</m:e></m:d>', "[a]"),
        ("<m:f><m:num><m:d><m:e>{a+b}</m:e></m:d></m:num><m:den/></m:f>", "(a+b)/"),
        ("<m:func><m:fName>{sin}</m:fName><m:e>{x}</m:e></m:func>", "sin x"),
        ("<m:limLow><m:e>{lim}</m:e><m:lim>{x→0}</m:lim></m:limLow>", "lim_(x→0)"),
        ("<m:limUpp><m:e>{x}</m:e><m:lim>{y}</m:lim></m:limUpp>", "x^y"),
        ("<m:acc><m:e>{x}</m:e></m:acc>", "x\N{COMBINING CIRCUMFLEX ACCENT}"),
        (
            "<m:m><m:mr><m:e>{a}</m:e><m:e>{b}</m:e></m:mr><m:mr><m:e>{c}</m:e><m:e>{d}</m:e></m:mr></m:m>",
            "[a, b; c, d]",
        ),
        ("<m:eqArr><m:e>{a=1}</m:e><m:e>{b=2}</m:e></m:eqArr>", "a=1; b=2"),
        ("<m:box><m:boxPr/><m:e>{a}</m:e></m:box>", "a"),
        ("<m:box>" * 70 + "{deep}" + "</m:box>" * 70, "deep"),
    ],
)
def test_an_equation_is_a_line_of_text(inside: str, shown: str) -> None:
    assert read(Word().add(p("", inside=_m(inside)))).text == f"{shown}\n"
