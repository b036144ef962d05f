"""`pincite serve`: serve a folder, or the toolsets that need none, over MCP and REST."""

import gc
import shlex
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from logging import getLogger
from pathlib import Path

from pincite.app import App
from pincite.errors import ConfigError, InvalidInput
from pincite.registry import TRANSPORTS, find, load, problems
from pincite.runtime import allocator, imports
from pincite.transports import logging
from pincite.transports.cli import configuration, streams
from pincite.transports.cli.running import announced

log = getLogger("pincite.settings")
log_server = getLogger("pincite.server")


STDIO, HTTP = "stdio", "http"

SDK_PACKAGES = ("mcp", "mcp.server")
"""Packages of the MCP SDK that import its client and its high-level server, which nobody uses here: a quarter of the
time that the SDK takes to import."""

WITH_PAGE = (HTTP, "rest")
"""The transports that serve the web page."""


def run(
    *,
    folder: Path | None,
    docs: Path | None,
    toolsets: str | None,
    transport: str | None,
    workers: int,
    db: Path | None,
    env_file: Path | None,
    settings: Mapping[str, object],
) -> int:
    """Serve until the client closes the connection, or the server is stopped.

    Args:
        folder: The folder.
        docs: The same, by `--docs`.
        toolsets: Names with commas between; the default ones if None.
        transport: The name of a transport; if None, stdio for a folder, else http.
        workers: Number of server processes; only one is possible.
        db: The index file.
        env_file: The named `.env` file.
        settings: Variable to value, from the command line; None for those that were not given.

    Raises:
        InvalidInput: Two folders were named, or none and a toolset needs one.
        Unsupported: There is no such toolset or transport.
        ConfigError: The folder does not exist, a setting is invalid, or the address cannot be used.
    """
    root = _root(folder, docs)
    name = transport or (HTTP if root is None else STDIO)
    row = find(TRANSPORTS, name)
    _check_workers(workers)
    if env_file is None and (root is None or name != STDIO):
        # A client starts a folder's server over stdio inside repositories that nobody vouches for; others, a person.
        env_file = configuration.find_env_file(Path.cwd(), root)
    given = {variable: value for variable, value in settings.items() if value is not None}
    loaded = configuration.for_server(env_file, given)
    logging.configure(loaded.logging.level, loaded.logging.format or ("text" if name == STDIO else "json"))
    for warning in configuration.warnings(loaded, env_file):
        log.warning("setting.ignored", extra={"problem": warning})
    for problem in problems():
        log.warning("plugin.left_out", extra={"problem": problem})
    configuration.check_database(db)
    app = App(loaded, root, db, [toolset.strip() for toolset in toolsets.split(",")] if toolsets else ())
    allocator.limit_kept_memory()
    imports.defer(*SDK_PACKAGES)
    with _without_collection():
        serve = load(row)
    try:
        app.check()
        if app.library is not None:
            log_server.info("server_start", extra=_summary(app, name))
        with announced(app) as announce:

            def ready(url: str) -> None:
                if sys.stdin.isatty() and sys.stderr.isatty():
                    streams.say(_http_announcement(url, root) if url else _announcement(app, root))
                if name in WITH_PAGE:
                    announce(url)

            serve(app, ready)
    finally:
        app.close()
    return 0


def _summary(app: App, transport: str) -> dict[str, object]:
    """Return what the log says of a server that starts, without secrets (contract 2, log events)."""
    settings = app.settings
    return {
        "transport": transport,
        "vector_store": settings.vectors.name,
        "store_status": "healthy",  # checked before: a library that cannot be opened stops the start
        "embedding": f"{settings.embedding.provider}/{settings.embedding.model}",
        "chunk_tokens": f"{settings.knowledge.chunk_min}-{settings.knowledge.chunk_max}",
        "chunk_overlap": settings.knowledge.chunk_overlap,
        "api_key": "set" if settings.http.api_key else "unset",
    }


def _root(folder: Path | None, docs: Path | None) -> Path | None:
    if folder is not None and docs is not None and folder != docs:
        raise InvalidInput("Two folders were named. One folder a server: pincite serve ./docs")
    return folder or docs


def _check_workers(workers: int) -> None:
    """Refuse several processes on one port: a session, its subscriptions and the rate limit live in one process.

    Raises:
        ConfigError: More than one was requested.
    """
    if workers != 1:
        raise ConfigError(
            "One process serves a port: MCP sessions and the rate limit live in it, and it uses several cores. For "
            "more, start servers of the same folder on several ports (they share one index) and put a proxy before "
            "them that keeps a session on its server."
        )


def _announcement(app: App, root: Path | None) -> str:
    """The message to a person who starts the server on a terminal, where nothing else would ever appear."""
    names = ", ".join(tool.name for tool in app.toolbox.tools)
    if root is None:
        return f"Serving MCP on standard input and output, with the tools {names}. Stop with Ctrl+C.\n"
    folder = str(root)[:200]
    return (
        f"Serving {folder!r} over MCP on standard input and output, with the tools {names}.\n"
        "An MCP client starts this command by itself; typed at a terminal it only waits for one. Stop with Ctrl+C.\n"
        f"Connect a client:  pincite connect claude-code {shlex.quote(folder)} --write\n"
        f'Ask it yourself:   pincite search "your question" --docs {shlex.quote(folder)}\n'
    )


def _http_announcement(url: str, root: Path | None) -> str:
    """The message to a person who starts the server over HTTP on a terminal."""
    return (
        f"Serving {f'{str(root)[:200]!r} ' if root else ''}at {url}. Stop with Ctrl+C.\n"
        f"Look at documents: {url}/ui/\n"
        f"Try the tools:     {url}/docs\n"
        f"Connect a client:  pincite connect claude-code --url {url}/mcp --write\n"
    )


@contextmanager
def _without_collection() -> Generator[None]:
    """Pause garbage collection for imports: their objects live until the end and need never be collected.

    Measured: 55 ms of the 520 ms that the SDK takes to import, and 30 ms of the first answer over 7,400 pages.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
