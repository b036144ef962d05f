"""Every setting, one file for each group of sections; `.env.example` and the settings page are generated from them.

Enters: flags, the environment, `.env`.
Leaves: one frozen `Settings`. Only the composition root (`app`), the Python API and the command line import this
    package.
First: `loading`.
Free: descriptions and bounds, with `make generate`. Names of variables are promised.
Modules: agent, base, downloads, embedding, extraction, http, index, knowledge, limits, loading, logging, readers,
    vector_stores.
"""

from pincite.settings.base import Section, prefixed
from pincite.settings.embedding import MODELS
from pincite.settings.extraction import Extraction
from pincite.settings.http import Http
from pincite.settings.loading import SECTIONS, Settings, load, patient, unknown, unprefixed, variable

__all__ = [
    "MODELS",
    "SECTIONS",
    "Extraction",
    "Http",
    "Section",
    "Settings",
    "load",
    "patient",
    "prefixed",
    "unknown",
    "unprefixed",
    "variable",
]
