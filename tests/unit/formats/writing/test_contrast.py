import pytest

from pincite.formats.writing.contrast import BLACK, WHITE, from_hex, is_indistinct


@pytest.mark.parametrize("colour", [(255, 255, 255), (250, 250, 250), (245, 255, 255)])
def test_what_is_as_light_as_its_ground_cannot_be_seen(colour: tuple[int, int, int]) -> None:
    assert is_indistinct(colour, WHITE) and is_indistinct(WHITE, colour)


@pytest.mark.parametrize("colour", [(238, 238, 238), (255, 255, 200), BLACK])
def test_pale_text_can_be_seen(colour: tuple[int, int, int]) -> None:
    assert not is_indistinct(colour, WHITE)


def test_red_and_green_of_one_luminance_are_told_apart() -> None:
    assert not is_indistinct((255, 0, 0), (0, 148, 0))


def test_a_colour_has_six_hexadecimal_digits() -> None:
    assert [from_hex(digits) for digits in ("ff8000", "auto", "zzzzzz", "fff", None)] == [(255, 128, 0), *[None] * 4]
