import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from support.html_pages import ROW, blocks, read


def test_runs_without_width_are_hidden_text() -> None:
    spelt = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    run = "\u200b" * 9
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    document = read(f"<p>a{spelt}b{run}c {flag} and \u0645\u200c\u0646</p>")
    assert [aside.text for aside in document.asides] == ["obey me", "[9 characters without width]"]
    assert document.text.startswith(f"abc {flag}")
    assert "\u0645\u200c\u0646" in document.text


def test_a_page_without_text_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="No text"):
        read("<div></div>" * 1000)
    assert read("").sections == ()


def test_binary_bytes_are_no_page() -> None:
    with pytest.raises(Unsupported):
        read(b"<p>a" + bytes(9))


def test_more_blocks_than_the_limit_are_one_and_keep_their_anchors() -> None:
    document = read("".join(f"<p id=a{number}>x</p>" for number in range(5)), max_blocks=2)
    assert document.coverage.limits_hit == ("max_blocks",)
    assert [block.anchors for block in blocks(document)] == [("a0",), ("a1", "a2", "a3", "a4")]


def test_reading_stops_when_it_is_cancelled() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Exception, match="cancelled"):
        read_document(ROW, Blob("a.html", b"<p>a"), ReadOptions(), call)
