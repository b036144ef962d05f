"""An embedder without a model: how often each group of three letters occurs."""

import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from pincite.embedding.base import EmbedderOptions
from pincite.embedding.wordpiece import WordPiece
from pincite.model.call import Call

_WORD = re.compile(r"\w+")


def build(options: EmbedderOptions, *, cache_dir: Path) -> "LetterEmbedder":
    """Return an embedder; it has no options and keeps no files."""
    del options, cache_dir
    return LetterEmbedder()


class LetterEmbedder:
    """Implements `Embedder`."""

    identity = "letters/v1"
    provider = "letters"
    model = "letters"
    batch_size = 32
    dimensions = 384
    is_loaded = True

    def __init__(self) -> None:
        self.tokenizer = WordPiece()

    def load(self, call: Call) -> None:
        """See `Embedder.load`: there is nothing to load."""
        call.check()

    def embed(self, texts: Sequence[str], call: Call) -> npt.NDArray[np.float32]:
        """Embed passages: (n, 384)."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            call.check()
            vectors[index] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str, call: Call | None = None) -> npt.NDArray[np.float32]:
        """Embed one question: (384,)."""
        del call  # it takes no time
        counts = np.zeros(self.dimensions, np.int64)
        counts[0] = 1  # a text without words has a direction, too
        for word in _WORD.findall(text.lower()):
            padded = f" {word} ".encode("utf-8", "surrogatepass")
            for start in range(len(padded) - 2):
                counts[crc32(padded[start : start + 3]) % self.dimensions] += 1
        return (counts / np.linalg.norm(counts)).astype(np.float32)
