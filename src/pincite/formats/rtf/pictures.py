"""Pictures inside RTF files, for the recognition of their text."""

from collections.abc import Iterator, Sequence

from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.ooxml import pictures
from pincite.formats.rtf.parser import Parser
from pincite.model.call import Call


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `Parser` gives them."""
    package = Parser(call).translate(blob.data)
    return pictures.rasterise(Blob(blob.name, package), targets, options, call)
