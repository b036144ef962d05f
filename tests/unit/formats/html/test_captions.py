import pytest

from pincite.formats.html.captions import without_credit
from support.html_pages import read, texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]
CAPTION = "The harbour of the town on the morning after the storm of last Friday"


def page(caption: str, tag: str = "figcaption") -> str:
    return f"<main>{PARAGRAPHS}<figure><{tag}>{caption}</figcaption></figure></main>"


@pytest.mark.parametrize(
    "credit",
    [
        *("(Photo: J. Doe)", "Foto: J. Doe/dpa", "| © J. Doe", "Bild: <a href='/x'>J. Doe</a>", "Quelle: J. Doe"),
        *("(crédito: J. Doe/CB/D.A.Press)", "J. Doe/Getty Images", "Image credit: J. Doe", "Photo by J. Doe"),
    ],
)
def test_the_credit_at_the_end_of_a_caption_is_left_out(credit: str) -> None:
    assert texts(page(f"{CAPTION}. {credit}")) == [*READ, f"![{CAPTION}.]"]


def test_a_caption_that_is_a_credit_is_left_out_and_kept_apart() -> None:
    document = read(page("Photo: J. Doe"))
    assert "Doe" not in document.text
    assert [aside.text for aside in document.asides] == ["Photo: J. Doe"]


@pytest.mark.parametrize("caption", ["The photo of a family", "Source code of the page", "A picture by night: lamps"])
def test_other_captions_are_kept_whole(caption: str) -> None:
    assert texts(page(caption)) == [*READ, f"![{caption}]"]


def test_the_spans_after_a_credit_are_those_of_their_elements() -> None:
    markup = f"<main>{PARAGRAPHS}<figure><figcaption>{CAPTION} (Photo: A)</figcaption></figure>"
    after = '<p>After it.</p><div class="share-buttons">Share</div><p>The end.</p></main>'
    assert texts(markup * 2 + after) == [*READ, f"![{CAPTION}]", *READ, "After it.", "The end."]


def test_documentation_keeps_its_captions_whole() -> None:
    assert (
        texts(page(f"{CAPTION} (Photo: A)").replace("</main>", "<pre>code</pre></main>"))[5]
        == f"![{CAPTION} (Photo: A)]"
    )


def test_a_caption_for_narrow_windows_is_that_for_wide_ones_again() -> None:
    captions = f'<div class="caption"><p>{CAPTION} of November.</p></div><div class="caption"><p>{CAPTION}…</p></div>'
    assert texts(f"<main>{captions}{PARAGRAPHS}</main>") == [f"{CAPTION} of November.", *READ]


def test_a_paragraph_that_is_repeated_is_kept() -> None:
    assert texts(f"<main>{PARAGRAPHS}<p>0. {SENTENCE}</p></main>") == [*READ, READ[0]]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (f"{CAPTION}. | © A Club/Getty Images", [f"{CAPTION}."]),
        (f"{CAPTION}. (Foto: J. Doe)", [f"{CAPTION}."]),
        ("J. Doe / Reuters", []),
        ("Bildquelle: J. Doe", []),
        ("Jupiterimages, Getty Images/Creatas RF", []),
        ("© J. Doe", []),
        ("A line about © and what it means.", ["A line about © and what it means."]),
        ("The colours: red", ["The colours: red"]),
        (f"{CAPTION}, read/write.", [f"{CAPTION}, read/write."]),
    ],
)
def test_the_credit_at_the_end_of_a_short_line_is_left_out(line: str, kept: list[str]) -> None:
    assert texts(f"<main>{PARAGRAPHS}<div>{line}</div></main>") == [*READ, *kept]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (f"{CAPTION} (Credit: Getty Images)", CAPTION),
        (f"{CAPTION} (picture alliance/dpa/J. Doe)", CAPTION),
        ("© J. Doe", ""),
        (f"{CAPTION}. Foto: J. Doe/A. Town/cc by sa 2.0", f"{CAPTION}."),
        (f"{CAPTION} © E.B", CAPTION),
        (f"Foto: {CAPTION}", None),
        (f"{CAPTION} (left)", f"{CAPTION} (left)"),
        ("The offices of Getty Images in the morning, and those of others at night", None),
    ],
)
def test_the_name_of_a_picture_has_no_credit(name: str, kept: str | None) -> None:
    assert without_credit(name) == (name if kept is None else kept)
