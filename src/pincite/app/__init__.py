"""The composition root: build an application from settings. Only this package chooses implementations.

Enters: `Settings`, and what a command or server wants served.
Leaves: an `Application`, whose parts are made at their first use, and closed with it.
First: `application`.
Free: when and in which order parts are made. The class of a part comes from `registry`, not from here.
Modules: application, caches, collections, conversion, documents, extraction, migration, mirrors, own_files, plugins,
    readers, tasks, toolsets.
"""

from pincite.app.application import App
from pincite.app.collections import index_path, reach_database
from pincite.app.plugins import build_embedder, is_remote
from pincite.app.readers import build_reader_pool

__all__ = ["App", "build_embedder", "build_reader_pool", "index_path", "is_remote", "reach_database"]
