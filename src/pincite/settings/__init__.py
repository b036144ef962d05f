"""Every setting, one file for each group of sections; `.env.example` and the settings page are generated from them.

Only the composition root (`app`), the Python API and the command line import this package.
"""

from pincite.settings.agent import Agent
from pincite.settings.base import Section
from pincite.settings.downloads import Caches, Downloads
from pincite.settings.embedding import MODELS, Embedding
from pincite.settings.extraction import Extraction
from pincite.settings.http import Http
from pincite.settings.index import Freshness, Searching, Storage
from pincite.settings.knowledge import Knowledge
from pincite.settings.limits import Limits, Ocr, Readers
from pincite.settings.loading import SECTIONS, Settings, load, patient, unknown, variable
from pincite.settings.logging import Logging
from pincite.settings.retrieval import Retrieval
from pincite.settings.vector_stores import VectorStores

__all__ = [
    "MODELS",
    "SECTIONS",
    "Agent",
    "Caches",
    "Downloads",
    "Embedding",
    "Extraction",
    "Freshness",
    "Http",
    "Knowledge",
    "Limits",
    "Logging",
    "Ocr",
    "Readers",
    "Retrieval",
    "Searching",
    "Section",
    "Settings",
    "Storage",
    "VectorStores",
    "load",
    "patient",
    "unknown",
    "variable",
]
