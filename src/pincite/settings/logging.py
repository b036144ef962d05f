"""The log."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from pincite.settings.base import Section


def _upper(value: object) -> object:
    """Accept `info` for `INFO`."""
    return value.upper() if isinstance(value, str) else value


class Logging(Section):
    """The log, written to standard error."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = Field(
        "INFO", validation_alias="LOG_LEVEL", description="Minimum log level."
    )
    format: Literal["text", "json"] | None = Field(
        None,
        validation_alias="LOG_FORMAT",
        description="`text` or `json`; if unset, `json` with `--transport http`, else `text`.",
    )
