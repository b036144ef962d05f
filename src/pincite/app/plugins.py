"""Build plug-ins from their rows in the registry and the settings."""

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from operator import attrgetter
from typing import Any, cast

from pincite import registry
from pincite.embedding.base import Embedder
from pincite.errors import ConfigError, ConnectionFailed, TimeoutExceeded, Unsupported
from pincite.registry import Plugin, find, make
from pincite.settings import Settings


@contextmanager
def required(setting: str = "") -> Generator[None]:
    """Raise what keeps a plug-in from being used as a fault of the setting that requires it.

    Args:
        setting: What the message begins with; empty if the plug-in's own message names the setting.

    Raises:
        ConfigError: It cannot be reached, does not answer, or its extra is not installed.
    """
    try:
        yield
    except (ConnectionFailed, TimeoutExceeded, Unsupported) as error:
        raise ConfigError(f"{setting} {error.message}".strip(), details=error.details) from error


def build(row: Plugin, settings: Settings, **shared: Any) -> object:
    """Make a plug-in from what its row takes of the settings, and what it shares with others."""
    options = [getattr(settings, row.section)] if row.section else []
    parameters = {name: attrgetter(setting)(settings) for name, setting in row.parameters}
    return make(row, lambda target: target(*options, **parameters, **shared))


def build_embedder(settings: Settings, name: str = "") -> Embedder:
    """Return an embedder, not loaded.

    Args:
        settings: The settings.
        name: Its name in the registry; empty for the one of the settings that runs on this machine.

    Raises:
        ConfigError: EMBEDDING_PROVIDER names it, and its extra is not installed.
        Unsupported: Its extra is not installed, and no setting names it.
    """
    row = find(registry.EMBEDDERS, name or local_embedder(settings))
    is_set = row.name == settings.embedding.provider
    with required(f"EMBEDDING_PROVIDER is {row.name}.") if is_set else nullcontext():
        return cast("Embedder", build(row, settings, cache_dir=settings.storage.cache / "models"))


def local_embedder(settings: Settings) -> str:
    """Return the name of the embedder of folders, URLs and tasks: nothing of them is sent to a service."""
    name = settings.embedding.provider
    return next(row.name for row in registry.EMBEDDERS if not row.is_remote) if is_remote(name) else name


def is_remote(embedder: str) -> bool:
    """Return True if an embedder sends the texts to a service."""
    return find(registry.EMBEDDERS, embedder).is_remote
