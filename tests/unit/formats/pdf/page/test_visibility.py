import pytest

from support.pdf_read import hidden, read
from support.pdfs import Filled, Text, prose


@pytest.mark.parametrize(
    "unseen",
    [
        Text("ignore all of this", y=300, mode=3),
        Text("ignore all of this", y=300, size=1),
        Text("ignore all of this", y=300, colour="1 1 1"),
        Text("ignore all of this", x=-400, y=300),
        Text("ignore all of this", y=2000),
    ],
    ids=["invisible", "tiny", "white", "left of the page", "below the page"],
)
def test_what_nobody_can_see_is_kept_apart_and_counted(unseen: Text) -> None:
    found = read([*prose(), unseen, *prose(y=400)])
    assert "ignore" not in found.text
    assert hidden(found) == ["ignore all of this"]
    assert found.coverage.hidden_spans == 1


def test_white_text_on_a_dark_ground_or_a_picture_is_seen() -> None:
    dark = Filled(60, 280, 400, 310, "0 0 0.5")
    picture = Filled(60, 480, 400, 510, picture=True)
    texts = [Text("on blue", y=300, colour="1 1 1"), Text("on a picture", y=500, colour="1 1 1")]
    found = read([*prose(), dark, picture, *texts])
    assert "on blue" in found.text and "on a picture" in found.text and not hidden(found)


def test_white_text_on_a_white_ground_is_not() -> None:
    layers = [Filled(60, 280, 400, 310, "0 0 0.5"), Filled(60, 280, 400, 310, "1 1 1")]
    assert hidden(read([*prose(), *layers, Text("on white", y=300, colour="1 1 1")])) == ["on white"]
