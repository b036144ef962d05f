"""Limits on what is listed, unpacked and answered."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_settings import NoDecode

from pincite.settings.base import MAX_MEGABYTES, Megabytes, Seconds, Section


def _megabytes(value: object) -> object:
    """Read `8/100 MB` (text files / other files) or one number for both."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:/\s*(\d+(?:\.\d+)?))?\s*(?:MB)?\s*", value)
    if match is None:
        msg = "write it as 8/100 (MB for text files / MB for other files) or as one number"
        raise ValueError(msg)
    limits = (float(match[1]), float(match[2] or match[1]))
    if not all(0 < limit <= MAX_MEGABYTES for limit in limits):
        raise ValueError(f"a limit must be more than 0 and at most {MAX_MEGABYTES} MB")
    return limits


FileLimits = Annotated[tuple[float, float], NoDecode, BeforeValidator(_megabytes)]


class Limits(Section):
    """Limits on what is listed, unpacked and answered."""

    max_file: FileLimits = Field(
        (8.0, 100.0),
        validation_alias="PINCITE_MAX_FILE",
        description="Maximum file size in MB, text / other formats; larger files are skipped and counted.",
    )
    max_files: int = Field(
        50_000,
        ge=1,
        validation_alias="PINCITE_MAX_FILES",
        description="Maximum number of files in a folder; beyond it only the first by path are indexed, with a "
        "warning.",
    )
    unasked_files: int = Field(
        2000,
        ge=0,
        validation_alias="PINCITE_UNASKED_FILES",
        description="Number of files in a folder above which a command at a shell asks before it indexes the folder "
        "for the first time; --yes answers.",
    )
    zip_entries: int = Field(
        10_000,
        ge=1,
        validation_alias="PINCITE_ZIP_ENTRIES",
        description="Maximum number of parts of a zipped document (DOCX, XLSX, EPUB …).",
    )
    zip_part: Megabytes = Field(
        200.0, validation_alias="PINCITE_ZIP_PART", description="Maximum size of one part in MB, unpacked."
    )
    zip_total: Megabytes = Field(
        400.0, validation_alias="PINCITE_ZIP_TOTAL", description="Maximum size of all parts in MB, unpacked."
    )
    zip_ratio: int = Field(
        500,
        ge=1,
        validation_alias="PINCITE_ZIP_RATIO",
        description="Maximum compression ratio of a part larger than 10 MB.",
    )
    tool_timeout: Seconds = Field(
        300.0,
        ge=1,
        validation_alias="MCP_REQUEST_TIMEOUT",
        description="Timeout of a tool call in seconds; `inf` for none.",
    )
    answer_tokens: int = Field(
        20_000,
        ge=0,
        validation_alias="PINCITE_ANSWER_TOKENS",
        description="Maximum size of an answer in tokens where a call sets no `max_tokens`; a longer one is cut and "
        "continued by its cursor. 0 for no limit.",
    )
    concurrent_calls: int = Field(
        6,
        ge=1,
        le=64,
        validation_alias="PINCITE_CONCURRENT_CALLS",
        description="Maximum number of tool calls that run at the same time.",
    )
