"""Which settings a command runs with, and which `.env` file they came from."""

import math
from collections.abc import Mapping
from pathlib import Path

from pincite import settings
from pincite.errors import ConfigError
from pincite.settings import Settings
from pincite.transports.cli import streams


def for_server(env_file: Path | None, log_level: str | None) -> Settings:
    """The settings of `serve`: no `.env` but a named one, for it runs inside folders that nobody vouches for."""
    return settings.load(_flags(log_level), env_file)


def for_shell(env_file: Path | None, log_level: str | None, docs: Path | None = None, *, warn: bool = True) -> Settings:
    """The settings of every other command.

    A person at a shell would rather wait than get half an answer: what nobody set waits without limit.

    Args:
        env_file: The `.env` file that was named; else it is looked for.
        log_level: That of the command line.
        docs: See `find_env_file`.
        warn: Print the `warnings` to standard error.
    """
    env_file = env_file or find_env_file(Path.cwd(), docs)
    found = settings.load(_flags(log_level), env_file)
    if warn and (ignored := warnings(found, env_file)):
        from pincite.transports.cli.output import safe  # noqa: PLC0415 - `serve` starts without it

        streams.say("".join(f"warning: {safe(warning)}\n" for warning in ignored))
    freshness, embedding = found.freshness, found.embedding
    if "budget" not in freshness.model_fields_set:
        freshness = freshness.model_copy(update={"budget": math.inf})
    if "grace" not in embedding.model_fields_set:
        embedding = embedding.model_copy(update={"grace": math.inf})
    return found.model_copy(update={"freshness": freshness, "embedding": embedding})


def check_database(db: Path | None) -> None:
    """Refuse an index file whose folder is not there: making folders would hide a slip in the path.

    Raises:
        ConfigError: It is not.
    """
    if db is not None and not db.absolute().parent.is_dir():
        raise ConfigError(f"The folder of --db {str(db)!r} is not there. Make it, or name another file.")


def warnings(found: Settings, env_file: Path | None) -> list[str]:
    """One sentence for each setting that has no effect."""
    ignored = settings.unknown(env_file)
    folder = found.embedding.model_dir
    if folder is not None:
        from pincite.embedding.weights import MINILM  # noqa: PLC0415 - only who names a folder pays for it

        if not (folder / MINILM.name).is_file():
            ignored.append(
                f"The folder of PINCITE_MODEL_DIR holds no {MINILM.name}: the model is looked for elsewhere."
            )
    return ignored


def find_env_file(start: Path, docs: Path | None) -> Path | None:
    """The nearest `.env` from a folder up to its repository's root (outside a repository: in that folder alone).

    Args:
        start: Where to begin.
        docs: The folder that is searched or served; a `.env` inside it is a document's neighbour, not configuration.
    """
    served = None if docs is None else docs.resolve()
    for folder in _up_to_repository(start.resolve()):
        file = folder / ".env"
        if file.is_file() and not (served and file.is_relative_to(served)):
            return file
    return None


def _up_to_repository(start: Path) -> tuple[Path, ...]:
    line = (start, *start.parents)
    for n, folder in enumerate(line):
        if (folder / ".git").exists():
            return line[: n + 1]
    return (start,)


def _flags(log_level: str | None) -> Mapping[str, object]:
    return {"LOG_LEVEL": log_level} if log_level else {}
