from pincite.formats.ole.pictures import Pictures
from support.pictures import picture


def test_pictures_are_named_in_order_and_only_once() -> None:
    png, jpeg = picture(kind="PNG"), picture(kind="JPEG")
    pictures = Pictures(b"head" + png + jpeg)
    places = [(0, 4 + len(png)), (4 + len(png), 1 << 32), (0, 4 + len(png))]
    assert [pictures.add(start, end) for start, end in places] == ["image1.png", "image2.jpg", "image1.png"]
    assert pictures.parts == {"image1.png": png, "image2.jpg": jpeg}


def test_pictures_that_share_bytes_are_no_more_than_their_stream() -> None:
    pictures = Pictures(b"\xff\xd8\xff" * 5000)
    for start in range(0, 15_000, 3):
        pictures.add(start, 15_000)
    assert sum(map(len, pictures.parts.values())) <= len(pictures.data)


def test_what_begins_far_behind_the_records_is_no_picture() -> None:
    pictures = Pictures(bytes(100_000) + picture(kind="PNG"))
    assert (pictures.add(0, 1 << 32), pictures.parts) == ("", {})
