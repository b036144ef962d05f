"""Build extraction engines and what the extraction tools use."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import cast

from pincite.agents.base import Engine
from pincite.app import plugins
from pincite.app.own_files import own_files
from pincite.index.cached import CachedCollections
from pincite.model.call import Call
from pincite.model.extraction import Answer, Material
from pincite.model.schema import Schema
from pincite.model.sizes import MEGABYTE
from pincite.registry import AGENTS, Plugin, find
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


class _Chosen:
    """An `Engine` that `auto` took; its usage says why."""

    def __init__(self, engine: Engine, reason: str) -> None:
        self._engine, self._reason = engine, reason
        self.name, self.limits_its_time = engine.name, engine.limits_its_time

    def extract(self, material: Material, schema: Schema, call: Call) -> Answer:
        """See `Engine.extract`."""
        answer = self._engine.extract(material, schema, call)
        return replace(answer, usage={**answer.usage, "chosen": f"auto: {self._reason}"})


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
    row, reason = _first_usable(settings) if name == AUTO else (find(AGENTS, name), "")
    shared = {"open_desk": desks(file, *reach(), tool_server(settings))} if row.section else {}
    engine = cast("Engine", plugins.build(row, settings, **shared))
    return _Chosen(engine, reason) if reason else engine


def _first_usable(settings: Settings) -> tuple[Plugin, str]:
    """Return the engine of `auto`, and why: the first one with credentials, else the one that needs none."""
    rows = [row for row in AGENTS if row.credentials]
    for row in rows:
        if attrgetter(row.credentials)(settings):
            return row, f"{' or '.join(row.variables)} is set"
    return AGENTS[0], f"neither {' nor '.join(name for row in rows for name in row.variables)} is set"


def tool_server(settings: Settings) -> ToolServer | None:
    """Return where an agent's tools run, if not here: for one attempt, with the time to begin and to end it."""
    given = settings.extraction
    if not given.tools_url:
        return None
    return ToolServer(given.tools_url, settings.storage.data, given.timeout + TOKEN_SECONDS)


def build_extraction_parts(settings: Settings, roots: Sequence[Path]) -> ExtractionParts:
    """Return what the extraction tools use.

    Args:
        settings: The settings.
        roots: The folders whose files may be read.
    """
    storage, extraction = settings.storage, settings.extraction
    return ExtractionParts(
        LocalFiles(roots, int(extraction.max_upload * MEGABYTE), reserved=own_files(settings)),
        Aliases(storage.data / "cache" / "aliases"),
        extraction.relevance_floor,
        CONVERTED if extraction.converter_url else "",
    )
