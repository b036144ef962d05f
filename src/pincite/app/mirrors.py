"""Build the mirror of the library, and check it at a start."""

import logging
from functools import partial
from pathlib import Path
from typing import cast

from pincite.app import plugins
from pincite.embedding.base import Embedder
from pincite.errors import PinciteError
from pincite.index.mirrors.mirrored import MirroredLibrary
from pincite.registry import MIRRORS, find
from pincite.services.library.chunk_records import published_fields
from pincite.settings import Settings
from pincite.store.base import Store
from pincite.store.mirrors.base import Mirror

log = logging.getLogger("pincite.app")


def build_mirror(settings: Settings, embedder: Embedder) -> Mirror:
    """Return the mirror of VECTOR_STORE, which is not contacted yet.

    Raises:
        Unsupported: There is no such mirror, or its extra is not installed.
    """
    row = find(MIRRORS, settings.vectors.name)
    return cast("Mirror", plugins.build(row, settings, model=embedder.identity, dimensions=embedder.dimensions))


def build_mirrored(settings: Settings, store: Store, embedder: Embedder, location: Path) -> MirroredLibrary:
    """Return the library with the mirror of the settings, which is not opened yet.

    Args:
        settings: The settings.
        store: The library.
        embedder: Its embedder.
        location: Its file; the lock of the process that writes to the mirror is in the same folder.
    """
    name = settings.vectors.name
    return MirroredLibrary(
        name,
        store,
        partial(build_mirror, settings, embedder),
        partial(published_fields, model=embedder.model),
        location.with_name(f"{location.name}.mirror-lock"),
        grace=settings.embedding.grace,
        has_keywords=settings.vectors.qdrant_hybrid or name != "qdrant",
    )


def check_mirror(mirrored: MirroredLibrary) -> None:
    """Check that a mirror can be used.

    Raises:
        ConfigError: It cannot be reached or used, or its extra is not installed.
        AuthError: It refuses the key.
    """
    with plugins.required(f"VECTOR_STORE is {mirrored.name}."):
        mirrored.check()
    try:
        mirrored.look()
    except PinciteError as error:  # it is served from the library itself, and each answer says so
        log.warning("mirror.not_searched", extra={"problem": error.message})
