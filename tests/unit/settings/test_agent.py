import pytest

from pincite.errors import ConfigError
from pincite.settings import load


def test_a_model_can_be_asked_with_a_key_or_a_token() -> None:
    none = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": ""}
    assert not load(none).agent.has_credentials
    assert load({**none, "ANTHROPIC_API_KEY": "x"}).agent.has_credentials
    assert load({**none, "ANTHROPIC_AUTH_TOKEN": "x"}).agent.has_credentials


def test_a_key_is_not_shown() -> None:
    assert "swordfish" not in repr(load({"ANTHROPIC_API_KEY": "swordfish"}).agent)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ANTHROPIC_BASE_URL", "my-proxy:4000"),
        ("ANTHROPIC_BASE_URL", "file://x"),
        ("API_TIMEOUT_MS", "0"),
        ("PINCITE_AGENT_BASE_URL", "my-endpoint:4000"),
        ("PINCITE_AGENT_RUNNER", "cli"),
    ],
)
def test_what_cannot_be_is_refused(variable: str, value: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        load({variable: value})
