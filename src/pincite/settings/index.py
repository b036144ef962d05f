"""How folders are kept fresh, searched and stored."""

import re
from pathlib import Path
from typing import Annotated

from platformdirs import user_cache_path
from pydantic import AfterValidator, Field, SecretStr

from pincite.settings.base import MAX_MEGABYTES, FiniteSeconds, Megabytes, Seconds, Section, UserPath


def _dsn(value: SecretStr) -> SecretStr:
    """Refuse what is no DSN; what it holds may be secret."""
    if not re.fullmatch(r"postgres(ql)?://\S+|\w+\s*=.+", value.get_secret_value().strip()):
        raise ValueError("no DSN of PostgreSQL")
    return value


class Freshness(Section):
    """How answers are kept fresh."""

    budget: Seconds = Field(
        2.0,
        validation_alias="PINCITE_FRESH_BUDGET",
        description="Maximum seconds that a call spends on indexing changes before it answers and reports what is "
        "pending.",
    )
    rescan: Seconds = Field(
        60.0,
        ge=0.1,
        validation_alias="PINCITE_RESCAN",
        description="Seconds between two full comparisons of the folder while idle: memory-mapped writes raise no "
        "change event.",
    )
    watch: bool = Field(
        default=True,
        validation_alias="PINCITE_WATCH",
        description="Use the operating system's change events; if false, every call compares the folder.",
    )
    bulk: int = Field(
        50,
        ge=0,
        validation_alias="PINCITE_BULK",
        description="Number of changed documents above which one server of the folder indexes them in the background; "
        "calls answer from what is indexed and report what is missing.",
    )
    lease: FiniteSeconds = Field(
        5.0,
        gt=0,
        validation_alias="PINCITE_BULK_LEASE",
        description="Seconds without a heartbeat after which another server takes over background indexing.",
    )


class Searching(Section):
    """How queries are read."""

    synonyms: UserPath | None = Field(
        None,
        validation_alias="PINCITE_SYNONYMS",
        description="File of synonyms for terms in queries: one `term: other words, other words` per line.",
    )


class Storage(Section):
    """Where files are stored."""

    store_url: Annotated[SecretStr, AfterValidator(_dsn)] | None = Field(
        None,
        validation_alias="PINCITE_STORE_URL",
        description="DSN of a PostgreSQL with pgvector, as postgresql://pincite@host/pincite: it keeps the indexes of "
        "folders and of the library, and extraction tasks with their uploads, for many servers; without it, each is a "
        "SQLite file.",
    )

    store_connections: int = Field(
        16,
        ge=2,
        le=1000,
        validation_alias="PINCITE_STORE_CONNECTIONS",
        description="Maximum number of connections of one process to PostgreSQL for one folder, for the library, or "
        "for tasks.",
    )
    store_connect_timeout: FiniteSeconds = Field(
        5.0,
        gt=0,
        validation_alias="PINCITE_STORE_CONNECT_TIMEOUT",
        description="Seconds to wait for PostgreSQL when a connection is opened, at least two.",
    )
    store_timeout: FiniteSeconds = Field(
        30.0,
        gt=0,
        validation_alias="PINCITE_STORE_TIMEOUT",
        description="Maximum seconds of one statement in PostgreSQL, which ends sooner with the call that it answers.",
    )
    store_copied_chunks: int = Field(
        100_000,
        ge=0,
        validation_alias="PINCITE_STORE_COPIED_CHUNKS",
        description="Maximum number of chunks of a collection in PostgreSQL that a server copies into its memory, "
        "2.7 KB each, and searches there; `0` copies none.",
    )

    data: UserPath = Field(
        Path("data"),
        validation_alias="DATA_DIR",
        description="Folder for what cannot be made again: libraries, uploads and tasks; and, in `cache`, the indexes "
        "of single documents.",
    )

    cache: UserPath = Field(
        default_factory=lambda: user_cache_path("pincite"),
        validation_alias="PINCITE_CACHE",
        description="Folder for models, indexes and documents; the user's cache folder if unset.",
    )
    reading_cache: float = Field(
        200.0,
        ge=0,
        le=MAX_MEGABYTES,
        validation_alias="PINCITE_READING_CACHE",
        description="Maximum size in MB of the documents kept in the cache; the oldest are deleted first, and `0` "
        "keeps none.",
    )
    index_cache: Megabytes = Field(
        2000.0,
        validation_alias="PINCITE_INDEX_CACHE",
        description="Maximum size in MB of the indexes of single documents; those used least recently are deleted "
        "first.",
    )
    unused_vectors: int = Field(
        20_000,
        ge=0,
        validation_alias="PINCITE_UNUSED_VECTORS",
        description="Maximum number of vectors of former texts that an index keeps, 1.5 KB each, so that a rename or "
        "an undo embeds nothing again; the oldest are deleted first.",
    )
