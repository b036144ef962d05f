from support.decks import (
    TITLE_AND_CONTENT,
    Deck,
    box,
    raw,
    sp,
    texts,
)


def test_bullets_keep_their_levels() -> None:
    deck = Deck()
    body = deck.slide("T", TITLE_AND_CONTENT).placeholders[1].text_frame
    body.text = "a"
    for level, text in [(1, "b"), (2, "c"), (0, "d")]:
        line = body.add_paragraph()
        line.text, line.level = text, level
    assert texts(deck.read(), "list") == ["- a\n  - b\n    - c\n- d"]


def test_a_link_keeps_its_url() -> None:
    deck = Deck()
    paragraph = box(deck.slide("T"), "see ").text_frame.paragraphs[0]
    for text in ("the ", "manual "):
        run = paragraph.add_run()
        run.text, run.hyperlink.address = text, "https://example.com/a"
    paragraph.add_run().text = "first"
    assert texts(deck.read())[1] == "see [the manual](https://example.com/a) first"


def test_numbered_lists_show_their_numbers() -> None:
    deck = Deck()
    lines = "".join(
        f'<a:p><a:pPr lvl="{level}"><a:buAutoNum type="{scheme}" {start}/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'
        for level, scheme, start, text in [
            (0, "arabicPeriod", 'startAt="3"', "three"),
            (1, "alphaLcParenR", "", "a"),
            (1, "alphaLcParenR", "", "b"),
            (0, "arabicPeriod", 'startAt="3"', "four"),
            (1, "romanUcParenBoth", "", "again from one"),
            (2, "arabicPlain", "", "plain"),
        ]
    )
    raw(deck.slide("T"), sp("x").replace("<a:p><a:r><a:t>x</a:t></a:r></a:p>", lines))
    assert texts(deck.read(), "list") == [
        "3. three\n  - a) a\n  - b) b\n4. four\n  - (I) again from one\n    - 1 plain"
    ]


def test_paragraphs_of_a_text_box_are_no_list() -> None:
    deck = Deck()
    box(deck.slide("T"), "one\n \ntwo\vlines")
    assert texts(deck.read())[1:] == ["one", "two\nlines"]


def test_raised_and_lowered_runs_are_typed_as_powers_and_indices() -> None:
    deck = Deck()
    paragraph = box(deck.slide("T"), "an area of 5 m").text_frame.paragraphs[0]
    for text, baseline in (
        ("2", "30000"),
        (", H", None),
        ("2", "-25000"),
        ("O, x", None),
        ("1", "-25000"),
        ("2", "-1"),
    ):
        run = paragraph.add_run()
        run.text = text
        if baseline:
            run.font._element.set("baseline", baseline)
    assert texts(deck.read())[1:] == ["an area of 5 m^2, H2O, x_12"]


def test_a_formula_of_a_slide_is_typed_as_in_a_document() -> None:
    power = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    formula = f"<a14:m><m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r>{power}</m:oMath></m:oMathPara></a14:m>"
    deck = Deck()
    raw(deck.slide("T"), sp("so: ").replace("</a:p>", f"{formula}</a:p>"))
    assert texts(deck.read())[1:] == ["so: E=mc^2"]


def test_formulas_are_kept_as_their_text() -> None:
    deck = Deck()
    formula = "<a14:m><m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath></a14:m>"
    formula = f"<mc:AlternateContent><mc:Choice Requires='a14'>{formula}</mc:Choice></mc:AlternateContent>"
    raw(deck.slide("T"), sp("so: ").replace("</a:p>", f"{formula}</a:p>"))
    assert texts(deck.read())[1:] == ["so: E=mc"]
