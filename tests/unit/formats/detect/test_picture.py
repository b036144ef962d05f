import pytest
from PIL import Image

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.picture import check_pixels, open_picture
from support.pictures import picture


def test_a_picture_is_opened_but_not_decoded() -> None:
    data = picture(size=(60, 40))
    with open_picture(data[:200], 10_000) as image:
        assert image.size == (60, 40)


def test_damage_that_shows_when_it_is_decoded_is_an_error_of_the_file() -> None:
    data = picture(size=(60, 40))
    with pytest.raises(InvalidInput, match="damaged or truncated"), open_picture(data[:200], 10_000) as image:
        image.load()


def test_too_many_pixels_are_refused_by_the_header() -> None:
    with pytest.raises(InvalidInput, match="2,400 pixels, more than 2,399"), open_picture(picture(), 2_399):
        pass
    check_pixels(Image.new("1", (60, 40)), 2_400)


@pytest.mark.parametrize("data", [b"", b"# Markdown", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(Unsupported, match="not a supported image"), open_picture(data, 10_000):
        pass


def test_a_jpeg_with_several_pictures_is_opened_as_one() -> None:
    data = picture(kind="MPO", save_all=True, append_images=[Image.new("L", (60, 40))])
    with open_picture(data, 10_000) as image:
        assert (image.format, image.size) == ("MPO", (60, 40))
