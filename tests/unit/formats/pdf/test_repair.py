"""Files whose end is missing: what is left of their objects is read, also of those inside of object streams."""

import re
import zlib

import pytest

from pincite.errors import InvalidInput
from pincite.formats.pdf import repair
from pincite.formats.pdf.repair import rebuild_trailer, repairs, unpacked_objects
from support.pdf_read import document
from support.pdfs import column, pdf


def test_nothing_is_put_together_of_a_file_without_pages() -> None:
    assert rebuild_trailer(b"%PDF-1.7\n1 0 obj\n<</Type/Font>>\nendobj\n") is None
    assert list(repairs(b"%PDF-1.7\n1 0 obj\n<</Type/Font>>\nendobj\n")) == []


def stream(number: int, objects: dict[int, bytes], packed: bytes | None = None) -> bytes:
    """An object stream, as writers of PDF 1.5 make them."""
    header, body = b"", b""
    for member, content in objects.items():
        header += b"%d %d " % (member, len(body))
        body += content + b" "
    data = zlib.compress(header + body) if packed is None else packed
    about = b"/Type /ObjStm /N %d /First %d /Filter/FlateDecode/Length %d" % (len(objects), len(header), len(data))
    return b"%d 0 obj\n<<%s>>\nstream\n%s\nendstream\nendobj\n" % (number, about, data)


def with_pages_in_a_stream(pages: int) -> bytes:
    """A file without its end, all of whose pages are in an object stream."""
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, pages + 1)])
    inside: dict[int, bytes] = {}

    def take(match: re.Match[bytes]) -> bytes:
        inside[int(match[1])] = match[2]
        return b""

    page = re.compile(rb"(\d+) 0 obj\n?(<<(?:(?!endobj|stream).)*?/Type/Page(?!s).*?)\n?endobj\n", re.DOTALL)
    kept = page.sub(take, whole)
    assert len(inside) == pages
    return kept[: kept.rindex(b"xref\n0")] + stream(900, inside)


def test_pages_in_object_streams_are_found() -> None:
    found = document(with_pages_in_a_stream(3))
    assert found.text.count("This is page") == 3
    assert "end is missing" in found.coverage.failed[0].reason


def test_a_stream_that_ends_early_gives_what_is_whole() -> None:
    cut = with_pages_in_a_stream(3)
    found = document(cut[: cut.rindex(b"\nendstream") - 8])
    assert found.text.count("This is page") >= 2


def test_an_object_that_was_updated_further_down_counts() -> None:
    data = stream(5, {7: b"<</Old true>>", 8: b"<</Kept true>>"}) + b"7 0 obj\n<</New true>>\nendobj\n"
    assert unpacked_objects(data) == b"8 0 obj\n<</Kept true>> \nendobj\n"


@pytest.mark.parametrize("packed", [b"not packed", b"", zlib.compress(b"x y <</Type/Page>>")])
def test_what_cannot_be_unpacked_is_left_out(packed: bytes) -> None:
    data = stream(5, {7: b"<</Type/Page>>"}, packed)
    assert unpacked_objects(data) == b""
    with pytest.raises(InvalidInput, match="damaged"):
        document(b"%PDF-1.7\n" + data)


def test_a_bomb_is_unpacked_to_the_limit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "MAX_UNPACKED_BYTES", 100_000)
    streams = b"".join(stream(5 + n, {70 + n: b"<<" + b" " * 90_000 + b">>"}) for n in range(50))
    assert len(unpacked_objects(streams)) < 101_000
