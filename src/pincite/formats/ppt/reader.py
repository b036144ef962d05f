"""Reader for PowerPoint 97 presentations: a page and a section for each slide."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.errors import Unsupported
from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.detect.decode import COMPOUND
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ole.summary import properties
from pincite.formats.ooxml import pictures
from pincite.formats.ppt.media import open_media
from pincite.formats.ppt.package import translate
from pincite.formats.ppt.records import open_deck
from pincite.formats.pptx import reader as pptx
from pincite.model.call import Call
from pincite.model.document import Head, Page, PageFailure


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    if not blob.data.startswith(COMPOUND):
        raise Unsupported(
            "The file is not a PowerPoint 97 presentation, whatever its name says. Give it the extension of its format."
        )
    file = CompoundFile(blob.data)
    metadata = properties(file)
    deck = open_deck(file)
    media = open_media(file, deck.document)
    package, missing = translate(deck, media, metadata.get("title", ""), options.max_pages, call)
    for item in pptx.read(Blob(blob.name, package), options, call):
        if isinstance(item, Head):
            yield replace(item, properties=metadata)
        else:
            lost = (PageFailure(item.number, "its content is damaged"),) if item.number in missing else ()
            yield replace(item, failures=(*item.failures, *lost))


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `Media` gives them."""
    file = CompoundFile(blob.data)
    deck = open_deck(file)
    package, _ = translate(deck, open_media(file, deck.document), "", options.max_pages, call)
    return pictures.rasterise(Blob(blob.name, package), targets, options, call)
