"""Extraction: its tasks, and the files that its tools may read."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import NoDecode

from pincite import registry
from pincite.settings.base import FiniteSeconds, Megabytes, Section, ServiceUrl, UserPath, Words


def _paths(value: object) -> object:
    """Read folders with commas, or the system's path separator, between."""
    if not isinstance(value, str):
        return value
    parts = value.replace(os.pathsep, ",").split(",") if os.name != "nt" else value.split(",")
    return tuple(Path(part.strip()).expanduser() for part in parts if part.strip())


def _formats(values: tuple[str, ...]) -> tuple[str, ...]:
    """Accept names and extensions of formats; return names."""
    named = {row.name: row.name for row in registry.FORMATS}
    named |= {extension: row.name for row in registry.FORMATS for extension in row.extensions}
    unknown = [value for value in values if not {value.lower(), f".{value.lower()}"} & named.keys()]
    if unknown:
        raise ValueError(f"unknown format {unknown[0]}; write names as {', '.join(list(named)[:5])}, or unset it")
    return tuple(dict.fromkeys(named.get(value.lower()) or named[f".{value.lower()}"] for value in values))


class Extraction(Section):
    """Extraction: a document and a schema in, JSON with evidence out."""

    database: UserPath | None = Field(
        None,
        validation_alias="DB_PATH",
        description="File of the task database; `tasks.db` in DATA_DIR if unset. Without effect where "
        "PINCITE_STORE_URL is set.",
    )
    concurrent_tasks: int = Field(
        1,
        ge=0,
        le=64,
        validation_alias="MAX_CONCURRENT_TASKS",
        description="Maximum number of tasks that a process works on at the same time; `0` leaves them to `pincite "
        "worker`.",
    )
    max_upload: Megabytes = Field(
        500.0,
        validation_alias="MAX_UPLOAD_SIZE",
        description="Maximum size in MB of an uploaded file, and of a local file that a tool reads.",
    )
    formats: Annotated[Words, AfterValidator(_formats)] = Field(
        (),
        validation_alias="EXTRACTION_FORMATS",
        description="Formats that uploads may have, by name or extension, with commas between; all if unset.",
    )
    timeout: FiniteSeconds = Field(
        300.0,
        gt=0,
        validation_alias="AGENT_TIMEOUT",
        description="Seconds that an attempt to extract a document may take.",
    )
    max_retries: int = Field(
        1,
        ge=0,
        le=100,
        validation_alias="AGENT_MAX_RETRIES",
        description="How often a task is taken up again whose worker died.",
    )
    lease: FiniteSeconds = Field(
        10.0,
        gt=0,
        validation_alias="PINCITE_TASK_LEASE",
        description="Seconds without a heartbeat after which another worker takes a task up.",
    )
    webhook_url: ServiceUrl | None = Field(
        None,
        validation_alias="PINCITE_WEBHOOK_URL",
        description="Address that receives a signed POST for every finished task (standardwebhooks.com).",
    )
    webhook_secret: SecretStr | None = Field(
        None,
        validate_default=True,
        validation_alias="PINCITE_WEBHOOK_SECRET",
        description="Secret that signs the requests to PINCITE_WEBHOOK_URL; required with it.",
    )
    converter_url: ServiceUrl = Field(
        "",
        validation_alias="MARKITDOWN_URL",
        description="Address of a converter that turns documents into Markdown, as `pincite converter` serves; the "
        "readers of this process if unset.",
    )
    converter_token: SecretStr | None = Field(
        None,
        validation_alias="OPENAI_API_TOKEN",
        description="Bearer token that is sent to the converter of MARKITDOWN_URL.",
    )
    tools_url: ServiceUrl = Field(
        "",
        validation_alias="MCP_TOOLS_URL",
        description="Address of a tool server with the same DATA_DIR (`pincite serve --toolsets extraction "
        "--transport mcp`), whose tools the engine `claude` uses; the tools of this process if unset.",
    )
    # Of 50 fields that the reference datasheet does not have, the nearest passage has a cosine of 0.28 at most.
    relevance_floor: float = Field(
        0.30,
        ge=-1,
        le=1,
        validation_alias="PINCITE_RELEVANCE_FLOOR",
        description="Minimum cosine of a passage that shares no word with a query of `doc_search`.",
    )
    allowed_roots: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_paths)] = Field(
        (),
        validation_alias="ALLOWED_ROOTS",
        description="Folders from which a tool may read a local path, with commas between. If unset: the served "
        "folder, and for extraction DATA_DIR. pincite's own databases and caches are never read.",
    )

    @field_validator("webhook_secret")
    @classmethod
    def _check_secret(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if info.data.get("webhook_url") and value is None:
            raise ValueError("set it, so that the receiver can tell who writes")
        return value
