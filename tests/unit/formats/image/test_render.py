"""Pictures are shown as they are, scaled."""

import io

import pytest
from PIL import Image

from pincite.errors import InvalidInput, NotFound
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, ReadOptions
from pincite.formats.image.render import measure, rasterise, render
from pincite.model.call import Call
from support.pictures import picture

RED = (255, 0, 0)


def shown(data: bytes, width: int = 100, page: int = 1, options: ReadOptions | None = None) -> Image.Image:
    return Image.open(io.BytesIO(render(Blob("a", data), page, width, options or ReadOptions(), Call())))


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
@pytest.mark.parametrize("width", [30, 60, 240])
def test_every_kind_is_scaled_to_the_width(kind: str, width: int) -> None:
    assert shown(picture(kind=kind, size=(60, 40)), width).size == (width, round(width * 2 / 3))


def test_the_content_stays_where_it_is() -> None:
    image = Image.new("RGB", (20, 10), "white")
    image.paste(RED, (10, 0, 20, 5))
    large = shown(saved(image), 200)
    assert [large.getpixel(place) for place in ((150, 20), (50, 20), (150, 80))] == [RED, (255,) * 3, (255,) * 3]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK", "F"])
def test_every_mode_comes_out_as_it_looks(mode: str) -> None:
    grey = Image.new("L", (8, 8), 255)
    image = Image.new("I;16", (8, 8), 0xFFFF) if mode == "I;16" else grey.convert("RGB").convert(mode)
    if mode == "F":
        image = image.point(lambda value: value * 256)
    data = saved(image, "TIFF" if mode in ("CMYK", "F") else "PNG")
    assert shown(data, 16).convert("L").getpixel((8, 8)) == 255


def test_what_is_transparent_stays_so() -> None:
    assert shown(saved(Image.new("RGBA", (8, 8), (0, 0, 0, 0))), 16).convert("RGBA").getpixel((8, 8)) == (0, 0, 0, 0)


def test_a_picture_is_shown_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # held with its right side down
    assert shown(saved(Image.new("RGB", (60, 40)), "JPEG", exif=exif)).size == (100, 150)


def test_the_pictures_of_a_tiff_are_pages_and_those_of_an_animation_are_not() -> None:
    frames = [Image.new("L", (10, 10 + shade), shade) for shade in (50, 90)]
    tiff = saved(Image.new("L", (10, 10)), "TIFF", save_all=True, append_images=frames)
    assert [shown(tiff, 10, page).size for page in (1, 2, 3)] == [(10, 10), (10, 60), (10, 100)]
    with pytest.raises(NotFound, match=r"There is no page 4\. The file has pages 1 to 3"):
        shown(tiff, 10, 4)
    gif = saved(Image.new("L", (10, 10)), "GIF", save_all=True, append_images=[Image.new("L", (10, 10), 99)])
    with pytest.raises(NotFound, match=r"There is no page 2\. The file has one page"):
        shown(gif, 10, 2)


def test_a_page_with_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    large = Image.new("1", (2000, 2000))
    tiff = saved(Image.new("1", (10, 10)), "TIFF", save_all=True, append_images=[large])
    limit = ReadOptions(max_pixels=1_000_000)
    assert shown(tiff, 10, 1, limit).size == (10, 10)
    with pytest.raises(InvalidInput, match="4,000,000 pixels, more than 1,000,000"):
        shown(tiff, 10, 2, limit)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
def test_a_picture_that_is_cut_short_is_refused(kind: str) -> None:
    data = picture(kind=kind, size=(200, 200))
    with pytest.raises(InvalidInput, match="damaged or truncated"):
        shown(data[: len(data) // 2])


@pytest.mark.parametrize(("orientation", "size"), [(1, (60, 40)), (3, (60, 40)), (6, (40, 60)), (8, (40, 60))])
def test_a_picture_is_measured_upright(orientation: int, size: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = saved(Image.new("RGB", (60, 40)), "JPEG", exif=exif)
    assert measure(Blob("a.jpg", data), ReadOptions(), Call()).sizes == (size,)


def test_each_page_of_a_scan_is_measured() -> None:
    data = saved(Image.new("L", (20, 10)), "TIFF", save_all=True, append_images=[Image.new("L", (5, 7))])
    assert measure(Blob("a.tif", data), ReadOptions(), Call()).sizes == ((20, 10), (5, 7))


def test_a_picture_for_recognition_is_upright_on_white_in_its_own_pixels() -> None:
    clear = Image.new("RGBA", (40, 20), (0, 0, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright
    (page,) = rasterise(Blob("a", saved(clear, exif=exif)), [1], ReadOptions(), Call())
    assert (page.picture.mode, page.picture.size, page.width, page.height) == ("RGB", (20, 40), 20, 40)
    assert page.picture.getpixel((5, 5)) == (255, 255, 255)


def test_a_large_picture_is_scaled_down_for_recognition_and_keeps_its_measure() -> None:
    (page,) = rasterise(Blob("a", saved(Image.new("L", (9000, 90)))), [1], ReadOptions(), Call())
    assert page.picture.size == (MAX_OCR_SIDE_PIXELS, 40) and (page.width, page.height) == (9000, 90)


def test_each_picture_of_a_tiff_is_a_page_for_recognition_within_the_limit_of_pixels() -> None:
    data = saved(Image.new("L", (9, 9)), "TIFF", save_all=True, append_images=[Image.new("L", (200, 200))])
    pages = rasterise(Blob("a", data), [1, 2], ReadOptions(max_pixels=1000), Call())
    assert next(pages).picture.size == (9, 9)
    with pytest.raises(InvalidInput, match="40,000 pixels"):
        next(pages)
