"""How a library of standards and handbooks is cut, kept and watched."""

from pydantic import Field, ValidationInfo, field_validator

from pincite.settings.base import Section


class Knowledge(Section):
    """The library of the `knowledge` toolset."""

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

    compared_passages: int = Field(
        20,
        ge=0,
        le=100,
        validation_alias="PINCITE_COMPARED_PASSAGES",
        description="First passages of `knowledge_search` among which clauses are ordered by comparing them with the "
        "query token by token, some 6 ms of a processor each; 0 for none. Needs the local embedder.",
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
