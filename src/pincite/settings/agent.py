"""The model that extracts, for the engines `claude` and `openai`."""

from typing import Literal

from pydantic import Field, SecretStr

from pincite.settings.base import Address, Section

MAX_MILLISECONDS = 86_400_000
"""A day."""


class Agent(Section):
    """The model that extracts, for the engines `claude` and `openai`."""

    model: str = Field(
        "sonnet",
        min_length=1,
        validation_alias="AGENT_MODEL",
        description="The model: an id, or one of the aliases `haiku`, `sonnet`, `opus`; for the engine `openai` the "
        "name that its endpoint has for it.",
    )
    runner: Literal["auto", "sdk", "api"] = Field(
        "auto",
        validation_alias="PINCITE_AGENT_RUNNER",
        description="What runs the model: `sdk`, the Claude Agent SDK with its command line, or `api`, the Messages "
        "API alone, which is lighter; `auto` takes the first one that is installed.",
    )
    api_key: SecretStr | None = Field(
        None, validation_alias="ANTHROPIC_API_KEY", description="Key of the Messages API, for the engine `claude`."
    )
    auth_token: SecretStr | None = Field(
        None, validation_alias="ANTHROPIC_AUTH_TOKEN", description="Bearer token instead of a key, as proxies want it."
    )
    base_url: Address = Field(
        "",
        validation_alias="ANTHROPIC_BASE_URL",
        description="Address of an Anthropic-compatible endpoint; that of Anthropic if unset.",
    )
    endpoint: Address = Field(
        "",
        validation_alias="PINCITE_AGENT_BASE_URL",
        description="Address of an OpenAI-compatible endpoint for the engine `openai`, as `http://127.0.0.1:11434/v1`.",
    )
    endpoint_key: SecretStr | None = Field(
        None, validation_alias="PINCITE_AGENT_API_KEY", description="Key of that endpoint, if it asks for one."
    )
    haiku_model: str = Field(
        "", validation_alias="ANTHROPIC_DEFAULT_HAIKU_MODEL", description="The id behind the alias `haiku`."
    )
    sonnet_model: str = Field(
        "", validation_alias="ANTHROPIC_DEFAULT_SONNET_MODEL", description="The id behind the alias `sonnet`."
    )
    opus_model: str = Field(
        "", validation_alias="ANTHROPIC_DEFAULT_OPUS_MODEL", description="The id behind the alias `opus`."
    )
    request_timeout: int = Field(
        600_000,
        ge=1,
        le=MAX_MILLISECONDS,
        validation_alias="API_TIMEOUT_MS",
        description="Timeout of one request to the model, in milliseconds.",
    )

    @property
    def has_credentials(self) -> bool:
        """True if a model can be used, which makes `auto` choose the engine `claude`."""
        return any(secret and secret.get_secret_value() for secret in (self.api_key, self.auth_token))
