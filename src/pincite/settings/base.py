"""What sections of the settings are made of: the base class, and types that several sections use."""

import re
from pathlib import Path
from typing import Annotated, cast
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

PREFIX = "PINCITE_"
"""What the name of every setting may begin with."""

MAX_MEGABYTES = 1_000_000
"""1 TB: what is above is a slip, and `inf` has no number of bytes."""

MAX_SECONDS = 86_400
"""A day: timers of the operating system and waits for a queue take no `inf`."""

_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f]")


def _seconds(value: object) -> object:
    """Accept `2`, `0.5 s` and `inf`."""
    return value.strip().removesuffix("s").strip() if isinstance(value, str) else value


def _words(value: object) -> object:
    """Read `one, two` as a list."""
    return tuple(word for word in re.split(r"[\s,]+", value) if word) if isinstance(value, str) else value


def _home(value: object) -> object:
    """Accept `~`: no shell expands it in a `.env` file or in a client's configuration."""
    return Path(value).expanduser() if isinstance(value, str | Path) else value


def _address(value: str) -> str:
    """Refuse what is no address that a client could connect to."""
    try:
        parts = urlsplit(value)
        # As a client does it: an empty or too long label of a name fails there.
        is_address = parts.scheme in {"http", "https"} and bool((parts.hostname or "").encode("idna"))
        is_address = is_address and parts.port != 0 and not _UNPRINTABLE.search(value)
    except ValueError:
        is_address = False
    if value and not is_address:
        raise ValueError("write an address, as https://example.com or http://127.0.0.1:8002")
    return value


Seconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0)]
"""May be infinite."""

FiniteSeconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0, le=MAX_SECONDS)]
Megabytes = Annotated[float, Field(gt=0, le=MAX_MEGABYTES)]
UserPath = Annotated[Path, BeforeValidator(_home)]
Address = Annotated[str, AfterValidator(_address)]
"""An http or https address; may be empty."""

Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]


def prefixed(name: str) -> str:
    """Return the name of a variable with the prefix, also of one that is promised without it."""
    return PREFIX + name.removeprefix(PREFIX)


class Section(BaseSettings):
    """A group of settings. Each field names its variable, which may have the prefix whether its name has it or not."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True, case_sensitive=True
    )

    @classmethod
    def settings_customise_sources(  # noqa: D102 - the base class documents it
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        names = [str(field.validation_alias) for field in settings_cls.model_fields.values()]
        source = cast("EnvSettingsSource", env_settings)
        given = {name: source.env_vars[prefixed(name)] for name in names if prefixed(name) in source.env_vars}
        source.env_vars = {**source.env_vars, **given}
        return init_settings, env_settings, dotenv_settings, file_secret_settings
