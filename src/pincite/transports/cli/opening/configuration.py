"""The settings of a command, and the `.env` file that they come from."""

from collections.abc import Mapping
from logging import getLogger
from pathlib import Path

from pincite import settings
from pincite.errors import ConfigError
from pincite.settings import Settings
from pincite.transports import logging
from pincite.transports.cli.printing import streams
from pincite.transports.logging import Style

log = getLogger("pincite.settings")


def for_server(env_file: Path | None, overrides: Mapping[str, object], style: Style) -> Settings:
    """Return the settings of a server, log by them, and log each setting without effect.

    Args:
        env_file: The `.env` file to read; None for none.
        overrides: Variable to value, from the command line; None for what was not given there.
        style: The form of the log if no setting names one.
    """
    loaded = settings.load({name: value for name, value in overrides.items() if value is not None}, env_file)
    logging.configure(loaded.logging.level, loaded.logging.format or style)
    for warning in warnings(loaded, env_file):
        log.warning("setting.ignored", extra={"problem": warning})
    return loaded


def for_shell(env_file: Path | None, log_level: str | None, docs: Path | None = None, *, warn: bool = True) -> Settings:
    """Return the settings of every other command, and log by them.

    Waits are infinite unless set: see `settings.patient`. The result reports problems itself, so the log is shown only
    if a level was set, but for requests that are repeated.

    Args:
        env_file: The named `.env` file; None to search for one.
        log_level: The value of `--log-level`.
        docs: See `find_env_file`.
        warn: Print the `warnings` to standard error.
    """
    env_file = env_file or find_env_file(Path.cwd(), docs)
    loaded = settings.load({"LOG_LEVEL": log_level} if log_level else {}, env_file)
    if warn and (ignored := warnings(loaded, env_file)):
        from pincite.transports.cli.printing.output import safe  # noqa: PLC0415 - `serve` starts without it

        streams.say("".join(f"warning: {safe(warning)}\n" for warning in ignored))
    level = loaded.logging.level if "level" in loaded.logging.model_fields_set else ""
    logging.configure(level or "CRITICAL", loaded.logging.format or "text")
    # Whoever waits is told why; no result reports it.
    getLogger("pincite.retries").setLevel(level or "WARNING")
    return settings.patient(loaded)


def check_database(db: Path | None) -> None:
    """Check that the folder of an index file exists; creating it would hide a typing error.

    Raises:
        ConfigError: It does not.
    """
    if db is not None and not db.absolute().parent.is_dir():
        raise ConfigError(f"The folder of --db {str(db)!r} does not exist. Create it, or name another file.")


def warnings(loaded: Settings, env_file: Path | None) -> list[str]:
    """Return one sentence for each setting without effect."""
    ignored = settings.unknown(env_file)
    folder = loaded.embedding.model_dir
    if folder is not None:
        from pincite.embedding.weights import MINILM  # noqa: PLC0415 - a slow import, needed only with PINCITE_MODEL_DIR

        if not (folder / MINILM.name).is_file():
            ignored.append(
                f"The folder of PINCITE_MODEL_DIR holds no {MINILM.name}: the model is looked for elsewhere."
            )
    return ignored


def find_env_file(start: Path, *docs: Path | None) -> Path | None:
    """Return the nearest `.env` from a folder up to its repository's root (outside a repository: in that folder only).

    Args:
        start: The first folder to search.
        docs: The folders that are searched or served; a `.env` inside one is not trusted.
    """
    served = [folder.resolve() for folder in docs if folder]
    for folder in _up_to_repository(start.resolve()):
        file = folder / ".env"
        if file.is_file() and not any(file.is_relative_to(root) for root in served):
            return file
    return None


def is_in_repository(folder: Path) -> bool:
    """Return True if a folder or one above it is a repository."""
    return (_up_to_repository(folder)[-1] / ".git").exists()


def _up_to_repository(start: Path) -> tuple[Path, ...]:
    line = (start, *start.parents)
    for n, folder in enumerate(line):
        if (folder / ".git").exists():
            return line[: n + 1]
    return (start,)
