import pytest

from support.html_pages import texts


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>a</mi><mi>i</mi></msub>", "x^2+a_i"),
        ("<msubsup><mi>x</mi><mn>1</mn><mrow><mi>n</mi><mo>-</mo><mn>1</mn></mrow></msubsup>", "x_1^(n-1)"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"),
        ("<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>", "√(x)∛(y)"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", "∑_(i=1)^n"),
        ("<mi>f</mi><mo>\u2061</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "f(x)"),
        ("<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>",
         "[a, b; c]"),
        ("<mi>sin</mi><mi>x</mi><mo>=</mo><mn>2</mn><mi>y</mi>", "sin x=2y"),
        ("<msup></msup><mtext>and so</mtext>", "and so"),
        ("<semantics><mi>x</mi><annotation encoding='MathML-Content'>y</annotation></semantics>", "x"),
    ],
)  # fmt: skip
def test_a_formula_is_typed_as_a_person_would(markup: str, text: str) -> None:
    assert texts(f"<p><math>{markup}</math></p>") == [text]


def test_very_deep_formulas_keep_their_letters() -> None:
    markup = f"<msup>{'<mrow>' * 80}<mi>x</mi>{'</mrow>' * 80}<mn>2</mn></msup>"
    assert texts(f"<p><math>{markup}</math></p>") == ["x^2"]
