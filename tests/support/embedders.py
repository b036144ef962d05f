"""Embedders that the tests register."""

from pathlib import Path

from pincite.embedding.base import EmbedderOptions
from pincite.embedding.hashing import HashEmbedder


class Recording(HashEmbedder):
    """Keeps what it was built with."""

    def __init__(self, options: EmbedderOptions, *, cache_dir: Path) -> None:
        super().__init__()
        self.options = options
        self.cache_dir = cache_dir
