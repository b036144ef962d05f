"""Every setting, read once: command-line flag > environment > `.env` > default."""

import math
import os
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.errors import ConfigError
from pincite.settings.agent import Agent
from pincite.settings.base import PREFIX, Section, prefixed
from pincite.settings.downloads import Caches, Downloads, Retrieval
from pincite.settings.embedding import HUB_MODELS, Embedding
from pincite.settings.extraction import Extraction
from pincite.settings.http import Http
from pincite.settings.index import Freshness, Searching, Storage
from pincite.settings.knowledge import Knowledge
from pincite.settings.limits import Limits
from pincite.settings.logging import Logging
from pincite.settings.readers import Ocr, Readers
from pincite.settings.vector_stores import VectorStores

_OTHER_PREFIXES = ("EMBEDDING_", "MCP_REQUEST_", "MCP_API_", "MCP_RATE_", "CORS_", "DOWNLOAD_", "QDRANT_", "CHROMADB_")
_NOT_SETTINGS = frozenset({"PINCITE_DATA", "PINCITE_CLIENTS"})
"""Variables of the tests."""

_LIKENESS = 0.9
"""From which likeness (0 to 1) a name that other programs may use counts as a misspelt one of ours."""

_SUGGESTED = 0.65
"""From which likeness a setting is suggested for an unknown `PINCITE_` name."""


class Settings(BaseModel):
    """All settings, a tree of frozen sections."""

    model_config = ConfigDict(frozen=True)

    freshness: Freshness
    limits: Limits
    readers: Readers
    ocr: Ocr
    embedding: Embedding
    searching: Searching
    storage: Storage
    retrieval: Retrieval
    downloads: Downloads
    caches: Caches
    extraction: Extraction
    knowledge: Knowledge
    vectors: VectorStores
    agent: Agent
    http: Http
    logging: Logging

    @property
    def fastembed_model(self) -> str:
        """The model of the extra `fastembed`: one, whether folders or short documents have it."""
        return self.embedding.model if self.embedding.model in HUB_MODELS else self.retrieval.accurate


SECTIONS: Mapping[str, type[Section]] = {
    name: cast("type[Section]", field.annotation) for name, field in Settings.model_fields.items()
}


def load(overrides: Mapping[str, object] | None = None, env_file: Path | None = None) -> Settings:
    """Read every setting.

    Args:
        overrides: Variable → value, from the command line; they win.
        env_file: A `.env` file, or None to read none.

    Raises:
        ConfigError: With every fault at once: the variable, what is wrong, what is allowed.
    """
    if env_file is not None and not env_file.is_file():
        raise ConfigError(
            f"The env file {env_file.name} does not exist. Name an existing file, or leave --env-file out."
        )
    sections: dict[str, Section] = {}
    known = _variables()
    names = {prefixed(name): name for name in known}
    given = {names.get(prefixed(name), name): value for name, value in (overrides or {}).items()}
    values, malformed = _read(env_file)
    faults = [*malformed, *(_unknown(name, known) for name in given if name not in known)]
    for name, section in SECTIONS.items():
        try:
            sections[name] = cast("Any", section)(**{**_of_file(section, values), **given})
        except ValidationError as error:
            faults.extend(_fault(section, detail) for detail in error.errors())
    if faults:
        raise ConfigError("The configuration is invalid:\n" + "\n".join(f"- {fault}" for fault in faults))
    return Settings.model_validate(sections)


def unknown(env_file: Path | None = None) -> list[str]:
    """Return one sentence for each variable that is named like a setting and is none: it has no effect.

    A warning and no error: a configuration that a newer version wrote must not stop an older one.

    Args:
        env_file: The `.env` file that is read, or None.
    """
    known = _variables()
    accepted = known | set(map(prefixed, known))
    strange = [name for name in _assigned(env_file) if name not in accepted and _is_like_ours(name, known)]
    return [_unknown(name, known) for name in strange]


def unprefixed(env_file: Path | None = None) -> list[str]:
    """Return the variables that are set by their names without the prefix, which other programs may read, too."""
    known = _variables()
    return [name for name in _assigned(env_file) if name in known and not name.startswith(PREFIX)]


def _assigned(env_file: Path | None) -> Iterable[str]:
    return dict.fromkeys([*os.environ, *_read(env_file)[0]])


def patient(loaded: Settings) -> Settings:
    """Return the settings without limits of time and size where none is set: for a person or a program, who prefer a
    complete answer.
    """

    def unlimited(section: Section, **none: float) -> Section:
        return section.model_copy(update={name: none[name] for name in none.keys() - section.model_fields_set})

    return loaded.model_copy(
        update={
            "freshness": unlimited(loaded.freshness, budget=math.inf),
            "embedding": unlimited(loaded.embedding, grace=math.inf),
            "limits": unlimited(loaded.limits, tool_timeout=math.inf, answer_tokens=0),
        }
    )


def _variables() -> frozenset[str]:
    return frozenset(variable(section, field) for section in SECTIONS.values() for field in section.model_fields)


def _read(env_file: Path | None) -> tuple[Mapping[str, str | None], list[str]]:
    """Return the values of a `.env` file by name, and a sentence for each fault of it."""
    if env_file is None:
        return {}, []
    from dotenv import dotenv_values  # noqa: PLC0415 - only who has such a file pays for it
    from dotenv.parser import parse_stream  # noqa: PLC0415 - as above

    try:
        text = env_file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return {}, [f"The env file {env_file.name} cannot be read: {type(error).__name__}. Make it readable UTF-8."]
    lines = list(parse_stream(StringIO(text)))
    faults = [
        f"Line {line.original.line} of {env_file.name} is no NAME=value. Correct or remove it."
        for line in lines
        if line.error
    ]
    return dotenv_values(stream=StringIO("".join(line.original.string for line in lines if not line.error))), faults


def _of_file(section: type[Section], values: Mapping[str, str | None]) -> Mapping[str, str]:
    """Return what the values of a `.env` file set of a section: the environment wins, then a name with the prefix."""
    least = 1 if section.model_config.get("env_ignore_empty") else 0
    chosen: dict[str, str] = {}
    for name in (variable(section, field) for field in section.model_fields):
        names = (prefixed(name), name)
        texts = [text for key in names if (text := values.get(key)) is not None and len(text) >= least]
        if texts and not any(len(os.environ[key]) >= least for key in names if key in os.environ):
            chosen[name] = texts[0]
    return chosen


def _is_like_ours(name: str, known: Iterable[str]) -> bool:
    if name in _NOT_SETTINGS:
        return False
    upper = name.upper()
    return upper.startswith(PREFIX) or (upper.startswith(_OTHER_PREFIXES) and bool(_nearest(upper, known, _LIKENESS)))


def _unknown(name: str, known: Iterable[str]) -> str:
    ours = {name.removeprefix(PREFIX): name for name in known}
    near = _nearest(name.upper().removeprefix(PREFIX), ours, _SUGGESTED)
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
