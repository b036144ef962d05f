"""Build extraction engines and what the extraction tools use."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from pincite.agents.base import Engine
from pincite.app import plugins
from pincite.app.own_files import own_files
from pincite.index.cached import CachedCollections
from pincite.model.units import MEGABYTE
from pincite.registry import AGENTS, find
from pincite.services.extraction.aliases import Aliases
from pincite.services.extraction.desks import ToolServer, desks
from pincite.services.local_files import LocalFiles
from pincite.services.tasks.service import AUTO
from pincite.settings import Settings
from pincite.toolkit import Toolbox
from pincite.tools.base import ExtractionParts

TOKEN_SECONDS = 30.0
"""Time for which a task's token is good beyond its attempt."""

CONVERTED = "Converted by the external converter (MARKITDOWN_URL)."
"""Noted of documents; not its address, which is nobody's business."""

CLAUDE, RULES = "claude", "rules"
"""The engines of `auto`: the one that asks a model where there is a key for it, else the one without."""


def build_engine(
    settings: Settings, name: str, file: Path, reach: Callable[[], tuple[Toolbox, LocalFiles, CachedCollections]]
) -> Engine:
    """Return an extraction engine for one local file.

    Args:
        settings: The settings.
        name: Its name in the registry, or `auto`.
        file: The document; an agent's tools see no other one.
        reach: Returns the tools, local files and indexes that an agent is given a part of.

    Raises:
        Unsupported: There is no such engine, its extra is not installed, or no toolset of its tools is served.
        ConfigError: It needs a key, and none is set.
    """
    row = find(AGENTS, (CLAUDE if settings.agent.has_credentials else RULES) if name == AUTO else name)
    shared = {"open_desk": desks(file, *reach(), tool_server(settings))} if row.section else {}
    return cast("Engine", plugins.build(row, settings, **shared))


def tool_server(settings: Settings) -> ToolServer | None:
    """Return where an agent's tools run, if not here: for one attempt, with the time to begin and to end it."""
    given = settings.extraction
    if not given.tools_url:
        return None
    return ToolServer(given.tools_url, settings.storage.data, given.timeout + TOKEN_SECONDS)


def build_extraction_parts(settings: Settings, folder: Path | None) -> ExtractionParts:
    """Return what the extraction tools use.

    Args:
        settings: The settings.
        folder: The served folder, if there is one.
    """
    storage, extraction = settings.storage, settings.extraction
    roots = extraction.allowed_roots or [storage.data, *([] if folder is None else [folder])]
    return ExtractionParts(
        LocalFiles(roots, int(extraction.max_upload * MEGABYTE), reserved=own_files(settings)),
        Aliases(storage.data / "cache" / "aliases"),
        extraction.relevance_floor,
        CONVERTED if extraction.converter_url else "",
    )
