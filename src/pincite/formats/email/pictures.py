"""Pictures attached to e-mails, for the recognition of their text."""

from collections.abc import Iterator, Sequence

from pincite.formats.base import MAX_OCR_SIDE_PIXELS, Blob, Raster, ReadOptions, Target
from pincite.formats.detect.picture import open_picture
from pincite.formats.email.attachments import picture_name
from pincite.formats.email.message import Message
from pincite.formats.email.reader import inner_messages, messages
from pincite.formats.writing.picture import on_white
from pincite.model.call import Call


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by `picture_name`; a point is a pixel."""
    depth = options.attachments.depth
    files = {picture_name(data): data for message in messages(blob.data, call) for data in _files(message, depth, call)}
    for target in targets:
        call.check()
        if isinstance(target, str) and target in files:
            with open_picture(files[target], options.max_pixels) as image:
                flat = on_white(image, MAX_OCR_SIDE_PIXELS)
                yield Raster(1, *flat.size, flat.picture)


def _files(message: Message, depth: int, call: Call) -> Iterator[bytes]:
    """Yield the files attached to a message, and to the messages in it."""
    for attachment in message.attachments:
        inner = inner_messages(attachment, call)
        if not inner:
            yield attachment.data
        for message_in_it in inner if depth else ():
            yield from _files(message_in_it, depth - 1, call)
