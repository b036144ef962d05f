"""The log, metrics and spans."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from pincite.settings.base import Section


def _level(value: object) -> object:
    """Accept `info` for `INFO`, and `WARN` for `WARNING`."""
    level = value.upper() if isinstance(value, str) else value
    return "WARNING" if level == "WARN" else level


def _lower(value: object) -> object:
    """Accept `JSON` for `json`."""
    return value.lower() if isinstance(value, str) else value


class Logging(Section):
    """The log, written to standard error; metrics and spans, which are off by default."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_level)] = Field(
        "INFO", validation_alias="LOG_LEVEL", description="Minimum log level."
    )
    format: Annotated[Literal["text", "json"] | None, BeforeValidator(_lower)] = Field(
        None,
        validation_alias="LOG_FORMAT",
        description="`text` or `json`; if unset, `json` with `--transport http`, else `text`.",
    )
    metrics: bool = Field(
        default=False,
        validation_alias="PINCITE_METRICS",
        description="Serve metrics for Prometheus at `/metrics` over HTTP; needs the extra `metrics`.",
    )
    tracing: bool = Field(
        default=False,
        validation_alias="PINCITE_TRACING",
        description="Send a span of OpenTelemetry for each tool call to OTEL_EXPORTER_OTLP_ENDPOINT; needs the extra "
        "`tracing`.",
    )
