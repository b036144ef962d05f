"""The composition root: build an application from settings. Only this package chooses implementations."""

from pincite.app.application import App
from pincite.app.collections import index_path, reach_database
from pincite.app.plugins import build_embedder, is_remote
from pincite.app.readers import build_reader_pool

__all__ = ["App", "build_embedder", "build_reader_pool", "index_path", "is_remote", "reach_database"]
