import numpy as np
import pytest

pytest.importorskip("cv2", reason="text recognition needs pip install 'pincite[ocr]'")

from pincite.formats.ocr.scaling import enlarged, shrunk


def striped(height: int, width: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, ::2] = 255
    return picture


@pytest.mark.parametrize(("before", "after"), [((1169, 826), (2000, 1413)), ((200, 300), (400, 600))])
def test_a_small_picture_is_enlarged_up_to_twice_its_size(before: tuple[int, int], after: tuple[int, int]) -> None:
    assert enlarged(striped(*before)).shape == (*after, 3)


def test_a_page_of_enough_pixels_stays_as_it_is() -> None:
    picture = striped(1754, 1240)
    assert enlarged(picture) is picture


def test_a_large_picture_is_shrunk_by_averaging() -> None:
    small, scale = shrunk(striped(40, 100), 50)
    assert small.shape == (20, 50, 3) and scale == 0.5
    assert small.min() == small.max() == 128


def test_a_small_picture_is_not_shrunk() -> None:
    picture = striped(40, 50)
    small, scale = shrunk(picture, 50)
    assert small is picture and scale == 1
