"""How a library of standards and handbooks is cut, kept and watched."""

from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from pincite import registry
from pincite.settings.base import Section


def _store(value: str) -> str:
    """Refuse a vector store that is not in the registry."""
    names = [row.name for row in registry.STORES]
    if value.strip().lower() not in names:
        raise ValueError(f"unknown vector store; write {' or '.join(names)}, or unset it")
    return value.strip().lower()


class Knowledge(Section):
    """The library of the `knowledge` toolset."""

    vector_store: Annotated[str, AfterValidator(_store)] = Field(
        "sqlite", validation_alias="VECTOR_STORE", description="Where the library is kept: `sqlite`, in DATA_DIR."
    )
    chunk_min: int = Field(
        200,
        ge=50,
        le=500,
        validation_alias="CHUNK_SIZE_MIN",
        description="Minimum tokens of a chunk of running prose in the library, 50 to 500.",
    )
    chunk_max: int = Field(
        800,
        ge=200,
        le=2000,
        validate_default=True,
        validation_alias="CHUNK_SIZE_MAX",
        description="Maximum tokens of a chunk in the library, 200 to 2000.",
    )
    chunk_overlap: int = Field(
        100,
        ge=0,
        le=500,
        validate_default=True,
        validation_alias="CHUNK_OVERLAP",
        description="Tokens that a chunk in the library repeats of the one before, 0 to 500; less than CHUNK_SIZE_MIN.",
    )
    health_threshold_ms: int = Field(
        500,
        ge=1,
        le=60_000,
        validation_alias="HEALTH_LATENCY_THRESHOLD_MS",
        description="Milliseconds above which `knowledge_health` calls a part slow.",
    )

    @field_validator("chunk_overlap")
    @classmethod
    def _check_overlap(cls, value: int, info: ValidationInfo) -> int:
        """Refuse an overlap that a minimal chunk would consist of. A minimum that was refused is its own fault."""
        minimum = info.data.get("chunk_min")
        if minimum is not None and value >= minimum:
            raise ValueError(f"{value} is not less than CHUNK_SIZE_MIN ({minimum})")
        return value

    @field_validator("chunk_max")
    @classmethod
    def _check_maximum(cls, value: int, info: ValidationInfo) -> int:
        """Refuse a maximum below the minimum."""
        minimum = info.data.get("chunk_min")
        if minimum is not None and value < minimum:
            raise ValueError(f"{value} is less than CHUNK_SIZE_MIN ({minimum})")
        return value
