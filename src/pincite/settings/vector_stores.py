"""Where vectors are searched: in the library itself, or in a mirror of it in another engine."""

import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator

from pincite import registry
from pincite.settings.base import Section, ServiceUrl, UserPath

MAX_COLLECTION_CHARS = 255
"""Qdrant's limit."""

_COLLECTION = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_KEY = re.compile(r"[\x21-\x7e]+")


LIBRARY_ITSELF = "sqlite"
"""The value for no mirror; the library may well be in PostgreSQL."""


def _store(value: str) -> str:
    """Refuse what is neither the library itself nor a mirror of the registry."""
    names = [LIBRARY_ITSELF, *(row.name for row in registry.MIRRORS if row.extra)]
    if value.strip().lower() not in names:
        raise ValueError(f"unknown vector store; write {' or '.join(names)}, or unset it")
    return value.strip().lower()


def _url(value: str) -> str:
    """Refuse an address with a key in it."""
    parts = urlsplit(value)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("an address has no user, password or query here")
    return value.rstrip("/")


def _collection(value: str) -> str:
    if not _COLLECTION.fullmatch(value) or len(value) > MAX_COLLECTION_CHARS:
        raise ValueError(f"a name has letters, digits, `_`, `-` and `.`, at most {MAX_COLLECTION_CHARS}")
    return value


def _key(value: SecretStr) -> SecretStr:
    if not _KEY.fullmatch(value.get_secret_value()):
        raise ValueError("a key is printable ASCII without spaces")
    return value


class VectorStores(Section):
    """The engine that searches the library."""

    name: Annotated[str, AfterValidator(_store)] = Field(
        "sqlite",
        validation_alias="VECTOR_STORE",
        description="What searches the library, which is kept in DATA_DIR whichever it is: `sqlite` (itself), `qdrant` "
        "or `chromadb` (a copy in that engine).",
    )
    qdrant_url: Annotated[ServiceUrl, AfterValidator(_url)] | None = Field(
        None,
        validate_default=True,
        validation_alias="QDRANT_URL",
        description="Address of Qdrant's REST interface, as `http://127.0.0.1:6333`; needed with VECTOR_STORE=qdrant.",
    )
    qdrant_key: Annotated[SecretStr, AfterValidator(_key)] | None = Field(
        None, validation_alias="QDRANT_API_KEY", description="Key of the Qdrant server, if it wants one."
    )
    qdrant_collection: Annotated[str, AfterValidator(_collection)] = Field(
        "se_knowledge_base", validation_alias="QDRANT_COLLECTION", description="Name of the collection in Qdrant."
    )
    qdrant_hybrid: bool = Field(
        default=True,
        validation_alias="QDRANT_HYBRID_SEARCH",
        description="Keep sparse BM25 vectors in Qdrant; if false, `knowledge_search` searches by meaning alone.",
    )
    chromadb_path: UserPath = Field(
        Path("collections/chromadb"),
        validation_alias="CHROMADB_PATH",
        description="Folder of the embedded ChromaDB; one process at a time has it open.",
    )
    chromadb_url: Annotated[ServiceUrl, AfterValidator(_url)] | None = Field(
        None,
        validation_alias="PINCITE_CHROMADB_URL",
        description="Address of a ChromaDB server (`chroma run`), as `http://127.0.0.1:8100`; several processes can "
        "use it. CHROMADB_PATH has no effect then.",
    )

    @field_validator("qdrant_url")
    @classmethod
    def _check_url(cls, value: str | None, info: ValidationInfo) -> str | None:
        """Refuse Qdrant without an address. A store that was refused itself is no reason for a second fault."""
        if value is None and info.data.get("name") == "qdrant":
            raise ValueError("VECTOR_STORE is qdrant, and there is no address")
        return value
