"""Pictures inside Word documents and presentations: parts of the package."""

from collections.abc import Iterator, Sequence

from pincite.errors import PinciteError
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, Raster, ReadOptions, Target
from pincite.formats.detect.picture import open_picture
from pincite.formats.ooxml.package import Package
from pincite.formats.writing.inner_pictures import InnerPictures, write_recognised
from pincite.formats.writing.page_writer import PageWriter
from pincite.formats.writing.picture import on_white
from pincite.model.call import Call
from pincite.model.document import Box


class PictureParts:
    """The pictures of one file, by the names of their parts."""

    def __init__(self, package: Package, options: ReadOptions) -> None:
        self._package = package
        self._max_pixels = options.max_pixels
        self._pictures = InnerPictures(options)

    def write(self, writer: PageWriter, part: str, boxes: tuple[Box, ...] = ()) -> None:
        """Write the text of a picture, or report that it was not read.

        Args:
            writer: Receives the text or the report.
            part: The name of the picture's part.
            boxes: Its position on the slide; empty if unknown.
        """
        recognised = self._pictures.text_of(writer, part, lambda: self._pixels(part))
        if recognised is not None:
            write_recognised(writer, recognised, boxes)

    def _pixels(self, part: str) -> int:
        try:
            with open_picture(self._package.read(part), self._max_pixels) as image:
                return image.width * image.height
        except PinciteError:
            # A drawing of Windows (EMF, WMF), a damaged or a huge picture: its text is out of reach.
            return 0


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: parts by name; a point is a pixel."""
    package = Package(blob.data)
    for part in targets:
        call.check()
        if isinstance(part, str):
            with open_picture(package.read(part), options.max_pixels) as image:
                flat = on_white(image, MAX_OCR_SIDE_PIXELS)
                yield Raster(1, *flat.size, flat.picture)
