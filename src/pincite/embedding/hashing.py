"""An embedder without a model, from hashes of words, for tests and experiments."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.embedding.base import BATCH_TEXTS
from pincite.embedding.wordpiece import WordPiece
from pincite.model.call import Call
from pincite.runtime.imports import import_once

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from pincite.embedding.base import EmbedderOptions, Tokenizer
    from pincite.model.vector import Vector

_WORD = re.compile(r"\w+")


def build(options: "EmbedderOptions", *, cache_dir: "Path") -> "HashEmbedder":
    """Return an embedder; it has no options and keeps no files."""
    del options, cache_dir
    return HashEmbedder()


class HashEmbedder:
    """Implements `Embedder`: the sum of one pseudo-random ±1 vector per word, scaled to length 1.

    Texts that share words have a high cosine, others one near 0. Sums of integers are exact, so
    vectors do not depend on the order of words or the machine.
    """

    identity = "hash/v1"
    provider = "hash"
    batch_size = BATCH_TEXTS
    model = "hash"
    dimensions = 384

    def __init__(self) -> None:
        self.tokenizer: Tokenizer = WordPiece()

    @property
    def is_loaded(self) -> bool:
        """See `Embedder.is_loaded`: there is nothing to load."""
        return True

    def load(self, call: Call) -> None:
        """Import NumPy; there is nothing else to load."""
        call.check()
        import_once("numpy")

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages: (n, 384)."""
        import numpy as np  # noqa: PLC0415  # as with the real one, only who embeds pays for it

        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            call.check()
            vectors[index] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str, call: Call | None = None) -> "Vector":
        """Embed one question: (384,)."""
        del call
        import numpy as np  # noqa: PLC0415  # as above

        words = Counter(_WORD.findall(text.lower())) or Counter([""])
        total = sum((self._word(word) * times for word, times in words.items()), np.zeros(self.dimensions, np.int64))
        return (total / np.linalg.norm(total)).astype(np.float32)

    def _word(self, word: str) -> "npt.NDArray[np.int64]":
        """Return ±1 for each bit of the word's hash."""
        import numpy as np  # noqa: PLC0415  # as above

        digest = hashlib.shake_128(word.encode("utf-8", "surrogatepass")).digest(self.dimensions // 8)
        return np.unpackbits(np.frombuffer(digest, np.uint8)).astype(np.int64) * 2 - 1
