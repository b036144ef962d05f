import struct
import zlib

import pytest
from PIL import Image

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import ReadOptions
from pincite.formats.image.reader import NOT_READ
from support.picture_read import read
from support.pictures import picture


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
def test_a_picture_gives_its_format_and_its_size(kind: str) -> None:
    found = read(picture(kind=kind, size=(20, 10)))
    assert found.properties["format"] == kind
    assert found.properties["size"] == "20 × 10 pixels"
    assert (found.text, found.sections) == ("", ())


def test_a_picture_without_words_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidInput, match="OCR"):
        read(picture(size=(200, 200)))


def test_that_text_in_the_picture_was_not_read_is_said() -> None:
    found = read(picture({"Title": "x"}, size=(200, 200)))
    assert found.coverage.failed[0].reason.startswith(NOT_READ) and found.coverage.needs_ocr == 1


def test_frames_are_counted() -> None:
    frames = [Image.new("L", (9, 9), shade) for shade in (0, 90, 180)]
    assert read(picture(kind="GIF", size=(9, 9), save_all=True, append_images=frames)).properties["frames"] == "4"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
@pytest.mark.parametrize("part", [0.02, 0.5, 0.9])
def test_a_picture_that_is_cut_short_is_refused(kind: str, part: float) -> None:
    data = picture(kind=kind)
    with pytest.raises((InvalidInput, Unsupported)) as refused:
        read(data[: int(len(data) * part)])
    assert "image" in refused.value.message


def test_a_picture_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"2,400 pixels, more than 1,000"):
        read(picture(), ReadOptions(max_pixels=1000))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    data = picture()
    header = b"IHDR" + struct.pack(">II", 60_000, 60_000) + data[24:29]
    bomb = data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]
    with pytest.raises(InvalidInput, match="pixels"):
        read(bomb, ReadOptions(max_pixels=10**12))
    with pytest.raises(InvalidInput, match="pixels"):
        read(bomb)
