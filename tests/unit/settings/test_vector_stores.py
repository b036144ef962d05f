"""Which engine searches the library, and what is refused before anything is contacted."""

from pathlib import Path

import pytest

from pincite import settings
from pincite.errors import ConfigError


def test_the_library_searches_itself_unless_told_otherwise() -> None:
    vectors = settings.load().vectors
    assert (vectors.name, vectors.qdrant_url, vectors.qdrant_collection, vectors.qdrant_hybrid) == (
        *("sqlite", None, "se_knowledge_base", True),
    )
    assert vectors.chromadb_path == Path("collections/chromadb")


def test_every_fault_is_reported_at_once_and_no_secret() -> None:
    given = {
        "VECTOR_STORE": "qdrant",
        "QDRANT_API_KEY": "a secret",
        "QDRANT_COLLECTION": "a/b",
        "QDRANT_HYBRID_SEARCH": "perhaps",
        "PINCITE_CHROMADB_URL": "localhost",
    }
    with pytest.raises(ConfigError) as failure:
        settings.load(given)
    faults = failure.value.message.splitlines()[1:]
    assert [fault.partition(":")[0] for fault in faults] == [
        *("- QDRANT_URL", "- QDRANT_API_KEY", "- QDRANT_COLLECTION", "- QDRANT_HYBRID_SEARCH"),
        "- PINCITE_CHROMADB_URL",
    ]
    assert "there is no address" in faults[0] and "a secret" not in failure.value.message


@pytest.mark.parametrize(
    "address", ["qdrant:6333", "ftp://host", "http://", "http://u:p@host", "http://host?api_key=x", "http://host:0x1"]
)
def test_an_address_is_one_of_a_server_without_a_key(address: str) -> None:
    with pytest.raises(ConfigError, match=r"QDRANT_URL: (write an address|an address)"):
        settings.load({"QDRANT_URL": address})
    assert settings.load({"QDRANT_URL": "https://host:6333/"}).vectors.qdrant_url == "https://host:6333"


def test_an_unknown_store_is_no_reason_for_a_second_fault() -> None:
    with pytest.raises(ConfigError) as failure:
        settings.load({"VECTOR_STORE": "pinecone"})
    assert failure.value.message.count("\n- ") == 1 and "sqlite or qdrant or chromadb" in failure.value.message
