"""The settings of the library."""

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


def test_the_defaults_are_those_of_the_contract() -> None:
    knowledge = load().knowledge
    assert (knowledge.chunk_min, knowledge.chunk_max, knowledge.chunk_overlap) == (200, 800, 100)
    assert knowledge.health_threshold_ms == 500


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"CHUNK_SIZE_MIN": 49}, "CHUNK_SIZE_MIN: "),
        ({"CHUNK_SIZE_MAX": 2001}, "CHUNK_SIZE_MAX: "),
        ({"CHUNK_SIZE_MIN": 500, "CHUNK_SIZE_MAX": 300}, "CHUNK_SIZE_MAX: 300 is less than CHUNK_SIZE_MIN (500)"),
        ({"CHUNK_OVERLAP": 200}, "CHUNK_OVERLAP: 200 is not less than CHUNK_SIZE_MIN (200)"),
        ({"CHUNK_SIZE_MIN": 60}, "CHUNK_OVERLAP: 100 is not less than CHUNK_SIZE_MIN (60)"),
        ({"VECTOR_STORE": "pinecone"}, "VECTOR_STORE: unknown vector store; write sqlite"),
        ({"HEALTH_LATENCY_THRESHOLD_MS": 0}, "HEALTH_LATENCY_THRESHOLD_MS: "),
    ],
)
def test_a_fault_names_the_variable(values: dict[str, object], fault: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(values)
    assert fault in caught.value.message


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        load({"CHUNK_SIZE_MIN": 1, "CHUNK_SIZE_MAX": 1, "VECTOR_STORE": "x", "EMBEDDING_DIMENSIONS": 3})
    assert all(name in caught.value.message for name in ("CHUNK_SIZE_MIN", "CHUNK_SIZE_MAX", "VECTOR_STORE"))
    assert "EMBEDDING_DIMENSIONS" in caught.value.message
