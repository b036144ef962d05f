"""How documents at URLs are downloaded, how long they are kept in memory, and the models that search them."""

from typing import Annotated

from pydantic import BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from pincite.settings.base import FiniteSeconds, Megabytes, Section


def _delays(value: object) -> object:
    """Read `1/3/5` as one number for each retry; `none` for no retry."""
    if not isinstance(value, str):
        return value
    return () if value.strip().lower() == "none" else tuple(part.strip() for part in value.split("/"))


Delays = Annotated[tuple[FiniteSeconds, ...], NoDecode, BeforeValidator(_delays), Field(max_length=10)]


class Downloads(Section):
    """How documents are downloaded."""

    allow_private: bool = Field(
        default=False,
        validation_alias="DOWNLOAD_ALLOW_PRIVATE",
        description="Download from private networks and loopback too (intranets, tests). Link-local addresses and the "
        "metadata services of clouds are never called.",
    )
    size: Megabytes = Field(
        100.0, validation_alias="PINCITE_DOWNLOAD_SIZE", description="Maximum size of a download in MB, unpacked."
    )
    timeout: FiniteSeconds = Field(
        100.0,
        gt=0,
        validation_alias="PINCITE_DOWNLOAD_TIMEOUT",
        description="Timeout of a download with its retries, in seconds.",
    )
    idle: FiniteSeconds = Field(
        10.0,
        gt=0,
        validation_alias="PINCITE_DOWNLOAD_IDLE",
        description="Seconds that a server may take to accept a connection, and between two parts of its answer.",
    )
    concurrent: int = Field(
        12,
        ge=1,
        le=64,
        validation_alias="PINCITE_CONCURRENT_DOWNLOADS",
        description="Maximum number of calls that read documents at URLs at the same time, besides "
        "PINCITE_CONCURRENT_CALLS others.",
    )
    per_caller: int = Field(
        6,
        ge=1,
        le=64,
        validation_alias="PINCITE_CALLER_DOWNLOADS",
        description="Maximum number of them for one key or address; further ones of it wait.",
    )
    delays: Delays = Field(
        (1.0, 3.0, 5.0),
        validation_alias="PINCITE_DOWNLOAD_RETRIES",
        description="Seconds before each retry of a download that failed by its connection, a timeout, status 429 or "
        "5xx, with `/` between; `none` for no retry.",
    )


class Caches(Section):
    """What is kept in memory of documents at URLs."""

    seconds: FiniteSeconds = Field(
        1800.0,
        validation_alias="PINCITE_CACHE_SECONDS",
        description="Seconds for which a download, its document and its index are used without asking the server "
        "again.",
    )
    download_size: Megabytes = Field(
        500.0, validation_alias="PINCITE_DOWNLOAD_CACHE", description="Maximum size of the kept downloads in MB."
    )
    uploads_size: Megabytes = Field(
        1000.0,
        validation_alias="PINCITE_UPLOAD_CACHE",
        description="Maximum size in MB of the uploads that the documents tools read; the oldest is deleted first, "
        "each after thirty minutes.",
    )
    document_size: Megabytes = Field(
        500.0,
        validation_alias="PINCITE_DOCUMENT_CACHE",
        description="Maximum size in MB of the documents kept in memory; as much again may be kept of what the "
        "documents tools make of them.",
    )


class Retrieval(Section):
    """The models by which passages of documents at URLs are found, besides the embedding model."""

    accurate: str = Field(
        "BAAI/bge-small-en-v1.5",
        validation_alias="EMBEDDING_MODEL_ACCURATE",
        description="The embedding model of documents of less than 100 chunks; needs `pip install "
        "'pincite[fastembed]'`. Without it the other model serves every size.",
    )
    reranker: str = Field(
        "ms-marco-MiniLM-L-6-v2",
        validation_alias="RERANK_MODEL",
        description="The cross-encoder that orders passages; needs `pip install 'pincite[fastembed]'`. Without it "
        "they are in the order of the search.",
    )
    token: SecretStr | None = Field(
        None,
        validation_alias="HUGGINGFACE_TOKEN",
        description="Token for models whose hub asks for one.",
    )
