import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind
from support.compound import compound, ppt
from support.ppt_read import ROW, read_bytes, talk

TALK = """\
## Pumps – 日本

- Switch it off
  - by the key
- Drain it

Rev. B

> Notes: Show the key.
## Ratings

|  |  |
| --- | --- |
| Type | Flow |
| A 7 | 20 |
"""


def test_a_presentation_of_another_program_is_read_slide_by_slide() -> None:
    document = read_bytes(talk())
    assert document.text == TALK
    assert (document.title, document.properties["author"]) == ("Pump talk", "Ada Weber")
    assert [section.blocks[0].page for section in document.sections] == [1, 2]
    assert (document.coverage.pages, document.coverage.complete) == (3, True)


def test_a_hidden_slide_is_an_aside() -> None:
    (aside,) = read_bytes(talk()).asides
    assert (aside.kind, aside.text, aside.page) == (AsideKind.HIDDEN, "## Not shown", 3)


def test_shapes_have_their_place_on_the_slide() -> None:
    blocks = {block.kind.value: block for section in read_bytes(talk()).sections for block in section.blocks}
    (box,) = blocks["paragraph"].boxes
    assert (round(box.x0), round(box.y0)) == (547, 432)
    assert blocks["table"].boxes


def test_a_presentation_without_a_directory_has_the_texts_of_its_list() -> None:
    document = read_bytes(ppt("Title", "text"))
    assert document.text == "## Title\n## text\n"


def test_slides_beyond_the_limit_are_reported() -> None:
    document = read_document(ROW, Blob("a.ppt", talk()), ReadOptions(max_pages=1), Call())
    assert document.text.startswith("## Pumps") and "Ratings" not in document.text
    assert document.coverage.limits_hit == ("max_pages",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (compound({"PowerPoint Document": bytes(9000)}), "PowerPoint 95 or older"),
        (compound({"Other": b"x"}), "not a presentation, or it is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "truncated"),
    ],
    ids=["zeros", "another stream", "truncated"],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises((InvalidInput, Unsupported), match=message):
        read_bytes(data)
