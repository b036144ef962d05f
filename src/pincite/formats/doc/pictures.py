"""Pictures inside Word 97 documents, for the recognition of their text."""

from collections.abc import Iterator, Sequence

from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.doc.fib import read_fib
from pincite.formats.doc.package import translate
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ooxml import pictures
from pincite.model.call import Call


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `package` gives them."""
    file = CompoundFile(blob.data)
    package = translate(file, read_fib(file), call).package
    return pictures.rasterise(Blob(blob.name, package), targets, options, call)
