import io

import pytest
from PIL import Image

from pincite.formats.writing.picture import MAX_PICTURE_PIXELS, picture_size, png


@pytest.mark.parametrize(
    ("page", "across", "size"),
    [
        ((595.0, 842.0), 1000, (1000, 1415)),
        ((842.0, 595.0), 1000, (1000, 707)),
        ((10_000.0, 1.0), 100, (100, 1)),
        ((0.0, 842.0), 100, (100, 100)),
        ((595.0, 0.0), 100, (100, 100)),
        ((595.0, 842.0), 1, (1, 1)),
    ],
)
def test_a_picture_has_its_page_s_proportions(page: tuple[float, float], across: int, size: tuple[int, int]) -> None:
    assert picture_size(*page, across) == size


@pytest.mark.parametrize("page", [(1.0, 14_400.0), (1e-9, 14_400.0), (72.0, 1e300)])
def test_an_extremely_high_page_is_narrower_than_wanted(page: tuple[float, float]) -> None:
    width, height = picture_size(*page, 4000)
    assert 1 <= width < 4000 and height >= 1 and width * height <= MAX_PICTURE_PIXELS


def test_a_png_has_the_pixels_of_the_picture() -> None:
    picture = Image.effect_noise((40, 30), 50)
    read = Image.open(io.BytesIO(png(picture)))
    assert read.format == "PNG" and read.tobytes() == picture.tobytes()
