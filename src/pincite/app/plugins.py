"""Build plug-ins from their rows in the registry and the settings."""

from operator import attrgetter
from typing import Any, cast

from pincite import registry
from pincite.embedding.base import Embedder
from pincite.registry import Plugin, find, load
from pincite.settings import Settings


def build(row: Plugin, settings: Settings, **shared: Any) -> object:
    """Make a plug-in from what its row takes of the settings, and what it shares with others."""
    options = [getattr(settings, row.section)] if row.section else []
    parameters = {name: attrgetter(setting)(settings) for name, setting in row.parameters}
    return load(row)(*options, **parameters, **shared)


def build_embedder(settings: Settings, name: str = "") -> Embedder:
    """Return an embedder, not loaded.

    Args:
        settings: The settings.
        name: Its name in the registry; empty for the one of the settings.
    """
    row = find(registry.EMBEDDERS, name or settings.embedding.provider)
    return cast("Embedder", build(row, settings, cache_dir=settings.storage.cache / "models"))
