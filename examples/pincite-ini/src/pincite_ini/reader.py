"""INI files: each group is a section."""

import re
from collections.abc import Iterator

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import decode
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Head, Page

_LINE = re.compile(r"^.*\S.*$", re.MULTILINE)


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    del options
    text = decode(blob.data).text
    yield Head()
    yield Page(None, text, tuple(_blocks(text, call)))


def _blocks(text: str, call: Call) -> Iterator[Block]:
    for line in _LINE.finditer(text):
        call.check()
        words = line[0].strip()
        if words.startswith("[") and words.endswith("]") and words[1:-1].strip():
            yield Block(BlockKind.HEADING, line.start(), line.end(), level=1, title=words[1:-1].strip())
        else:
            yield Block(BlockKind.PARAGRAPH, line.start(), line.end())
