"""Pictures on the slides of PowerPoint 97 presentations, for the recognition of their text."""

from collections.abc import Iterator, Sequence

from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ooxml import pictures
from pincite.formats.ppt.media import open_media
from pincite.formats.ppt.package import translate
from pincite.formats.ppt.records import open_deck
from pincite.model.call import Call


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `Media` gives them."""
    file = CompoundFile(blob.data)
    deck = open_deck(file)
    package, _ = translate(deck, open_media(file, deck.document), "", options.max_pages, call)
    return pictures.rasterise(Blob(blob.name, package), targets, options, call)
