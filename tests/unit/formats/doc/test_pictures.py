from pincite.formats.base import Blob, ReadOptions
from pincite.formats.doc.pictures import rasterise
from pincite.model.call import Call
from support.compound import doc_with_picture
from support.doc_read import read_bytes
from support.pictures import picture


def test_a_picture_in_the_text_can_be_recognised() -> None:
    data = doc_with_picture(picture(size=(200, 120), kind="PNG"))
    document = read_bytes(data)
    assert (document.text, document.coverage.unread_pictures) == ("See  here\n", 1)
    (raster,) = rasterise(Blob("a.doc", data), ["word/image1.png"], ReadOptions(), Call())
    assert (raster.width, raster.height) == (200, 120)
