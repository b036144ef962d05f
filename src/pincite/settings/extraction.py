"""Extraction: its tasks, and the files that its tools may read."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import NoDecode

from pincite.settings.base import Megabytes, Section


def _paths(value: object) -> object:
    """Read folders with commas, or the system's path separator, between."""
    if not isinstance(value, str):
        return value
    parts = value.replace(os.pathsep, ",").split(",") if os.name != "nt" else value.split(",")
    return tuple(Path(part.strip()).expanduser() for part in parts if part.strip())


class Extraction(Section):
    """Extraction: a document and a schema in, JSON with evidence out."""

    max_upload: Megabytes = Field(
        500.0,
        validation_alias="MAX_UPLOAD_SIZE",
        description="Maximum size in MB of a local file that an extraction tool reads.",
    )
    relevance_floor: float = Field(
        0.35,
        ge=-1,
        le=1,
        validation_alias="PINCITE_RELEVANCE_FLOOR",
        description="Minimum cosine of a passage that shares no word with a query of `doc_search`.",
    )
    allowed_roots: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_paths)] = Field(
        (),
        validation_alias="ALLOWED_ROOTS",
        description="Folders from which a tool may read a local path, with commas between; the served folder and "
        "DATA_DIR if unset.",
    )
