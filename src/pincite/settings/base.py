"""What sections of the settings are made of: the base class, and types that several sections use."""

import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pincite.text.hosts import address

MAX_MEGABYTES = 1_000_000
"""1 TB: what is above is a slip, and `inf` has no number of bytes."""

MAX_SECONDS = 86_400
"""A day: timers of the operating system and waits for a queue take no `inf`."""


def _seconds(value: object) -> object:
    """Accept `2`, `0.5 s` and `inf`."""
    return value.strip().removesuffix("s").strip() if isinstance(value, str) else value


def _words(value: object) -> object:
    """Read `one, two` as a list."""
    return tuple(word for word in re.split(r"[\s,]+", value) if word) if isinstance(value, str) else value


def service_url(value: str) -> str:
    """Refuse what is no address of a server over HTTP; empty for none."""
    try:
        parts = urlsplit(value.strip())
        host, _ = parts.hostname or "", parts.port  # a port that is no number is refused by this
    except ValueError:
        host, parts = "", urlsplit("")
    is_host = bool(address(host)) or re.fullmatch(r"[\w-]+(\.[\w-]+)*\.?", host)
    if value and not (parts.scheme in {"http", "https"} and is_host and not re.search(r"[\s\0-\x1f]", value.strip())):
        raise ValueError("no address of a server; write one like http://127.0.0.1:8002")
    return value.strip()


def _home(value: object) -> object:
    """Accept `~`: no shell expands it in a `.env` file or in a client's configuration."""
    return Path(value).expanduser() if isinstance(value, str | Path) else value


Seconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0)]
"""May be infinite."""

FiniteSeconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0, le=MAX_SECONDS)]
Megabytes = Annotated[float, Field(gt=0, le=MAX_MEGABYTES)]
ServiceUrl = Annotated[str, AfterValidator(service_url)]
UserPath = Annotated[Path, BeforeValidator(_home)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]


class Section(BaseSettings):
    """A group of settings. Each field names its variable."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True, case_sensitive=True
    )
