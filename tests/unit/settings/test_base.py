import pytest

from pincite.errors import ConfigError
from pincite.settings import load

NAMES = (
    "PINCITE_WEBHOOK_URL",
    "MARKITDOWN_URL",
    "MCP_TOOLS_URL",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "QDRANT_URL",
    "PINCITE_CHROMADB_URL",
)
NO_ADDRESSES = (
    "http://127.0.0.1:abc/",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:0",
    "http://[::1",
    "http://a..b/",
    f"http://{'a' * 64}.example",
    "http://",
    "https:///hooks",
    "http://a b/",
    "http://a.example/\x00",
    "ftp://a.example",
    "a.example",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", NO_ADDRESSES)
def test_what_no_client_could_connect_to_is_no_address(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"{name}: write an address, as https://example.com"):
        load({name: value, "PINCITE_WEBHOOK_SECRET": "s"})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value", ["https://a.example/hook", "http://127.0.0.1:8002", "http://[::1]:80", "http://ä.example"]
)
def test_an_address_is_taken_as_it_is_written(name: str, value: str) -> None:
    load({name: value, "PINCITE_WEBHOOK_SECRET": "s"})
