"""`pincite serve`: serve a folder, or the toolsets that need none, over MCP and REST."""

import gc
import json
import shlex
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from logging import getLogger
from pathlib import Path
from typing import Annotated

import typer

from pincite.app import App
from pincite.errors import ConfigError, InvalidInput, Unsupported
from pincite.registry import TRANSPORTS, find, load, problems
from pincite.runtime import allocator, imports
from pincite.settings import Settings
from pincite.transports.cli.folders import arguments_of, folders_of, served_folders
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.running import announced
from pincite.transports.cli.parameters import (
    Database,
    EnvFile,
    Folders,
    Host,
    Insecure,
    JsonAtStart,
    LogLevel,
    Port,
    Toolsets,
)
from pincite.transports.cli.printing import streams
from pincite.transports.cli.program import new_program
from pincite.transports.problems import INTERRUPTED, SUCCESS

program = new_program()

Transport = Annotated[
    str | None,
    typer.Option(
        "--transport",
        metavar="NAME",
        help="stdio (default with a folder), or http: REST, MCP over streamable HTTP and MCP over SSE on one port; "
        "or one of these alone: rest, streamable-http, sse; or mcp: both transports of MCP.",
        show_default=False,
    ),
]
log = getLogger("pincite.settings")
log_server = getLogger("pincite.server")


STDIO, HTTP = "stdio", "http"

SDK_PACKAGES = ("mcp", "mcp.server")
"""Packages of the MCP SDK that import its client and its high-level server, which nobody uses here: a quarter of the
time that the SDK takes to import."""

WITH_PAGE = (HTTP, "rest")
"""The transports that serve the web page."""


@program.command(
    epilog="Example: pincite serve ./docs, for an MCP client on this machine; pincite serve ./docs --transport http, "
    "for clients on the network; pincite serve api=./api handbook=./handbook, for several folders."
)
def serve(
    folders: Folders = None,
    docs: Annotated[Path | None, typer.Option("--docs", metavar="FOLDER", help="The same as DOCS.")] = None,
    toolsets: Toolsets = None,
    transport: Transport = None,
    host: Host = None,
    port: Port = None,
    sse: Annotated[
        bool, typer.Option("--sse/--no-sse", help="With http, serve the deprecated SSE transport too.")
    ] = True,
    insecure: Insecure = False,
    db: Database = None,
    about: Annotated[
        str,
        typer.Option("--about", metavar="TEXT", help="What the documents are about, for models. Default: some titles."),
    ] = "",
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: JsonAtStart = False,
) -> int:
    """Serve folders of documents to AI agents: over MCP on standard input and output, or over HTTP.

    MCP clients start this command; `pincite connect` configures them. With a folder over stdio a .env file is
    read only with --env-file.
    """
    root = _root(folders or (), docs)
    name = transport or (HTTP if root is None else STDIO)
    if env_file is None and (root is None or name != STDIO):
        # A client starts a folder's server over stdio inside repositories that nobody vouches for; others, a person.
        env_file = configuration.find_env_file(Path.cwd(), *folders_of(root))
    given = {
        "HOST": host,
        "PORT": port,
        "PINCITE_SSE": None if sse else False,
        "PINCITE_INSECURE": insecure or None,
        "LOG_LEVEL": log_level,
    }
    names = [toolset.strip() for toolset in toolsets.split(",")] if toolsets else ()

    def served(settings: Settings) -> App:
        configuration.check_database(db)
        return App(settings, root, db, names, about)

    return run_server(served, name, env_file, given, arguments_of(root), as_json=as_json)


def run_server(
    served: Callable[[Settings], App],
    transport: str,
    env_file: Path | None,
    given: Mapping[str, object],
    folders: Sequence[str] = (),
    *,
    as_json: bool = False,
    interrupted: int = INTERRUPTED,
) -> int:
    """Serve an application until it is stopped, and close it.

    Args:
        served: Makes the application.
        transport: Name of the transport.
        env_file: See `configuration.for_server`, as for `given`.
        given: As above.
        folders: The folders as arguments of a command, for what is said on a terminal.
        as_json: Print what is served as JSON: over HTTP to standard output, over stdio to standard error.
        interrupted: Exit code after SIGINT.

    Raises:
        ConfigError: A setting is invalid; the transport or a toolset does not exist.
    """
    try:
        row = find(TRANSPORTS, transport)
        app = served(configuration.for_server(env_file, given, "text" if transport == STDIO else "json"))
    except Unsupported as error:
        raise ConfigError(error.message) from error
    for problem in problems():
        log.warning("plugin.left_out", extra={"problem": problem})
    allocator.limit_kept_memory()
    imports.defer(*SDK_PACKAGES)
    with _without_collection():
        serve_by = load(row)
    with closing(app):
        app.check()
        if app.library is not None:
            log_server.info("server_start", extra=_summary(app, row.name))
        with announced(app) as announce:

            def ready(url: str) -> None:
                if as_json:
                    started = {"url": url or None, "tools": [tool.name for tool in app.toolbox.tools]}
                    (sys.stdout if url else sys.stderr).write(json.dumps(started) + "\n")
                elif sys.stdin.isatty() and sys.stderr.isatty():
                    streams.say(_http_announcement(url, folders) if url else _announcement(app, folders))
                if row.name in WITH_PAGE:
                    announce(url)

            serve_by(app, ready, interrupted)
    return SUCCESS


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
        "api_key": "set" if settings.http.needs_key else "unset",
    }


def _root(folders: Sequence[str], docs: Path | None) -> Path | Mapping[str, Path] | None:
    if folders and docs is not None and folders != [str(docs)]:
        raise InvalidInput("Two folders were named. Name each: pincite serve api=./api handbook=./handbook")
    return docs or served_folders(folders)


def _announcement(app: App, folders: Sequence[str]) -> str:
    """The message to a person who starts the server on a terminal, where nothing else would ever appear."""
    names = ", ".join(tool.name for tool in app.toolbox.tools)
    if not folders:
        return f"Serving MCP on standard input and output, with the tools {names}. Stop with Ctrl+C.\n"
    return (
        f"Serving {_quoted(folders)} over MCP on standard input and output, with the tools {names}.\n"
        "An MCP client starts this command by itself; typed at a terminal it only waits for one. Stop with Ctrl+C.\n"
        f"Connect a client:  pincite connect claude-code {shlex.join(folders)} --write\n"
        f'Ask it yourself:   pincite search "your question" --docs {shlex.quote(str(app.folders[0].source))}\n'
    )


def _quoted(folders: Sequence[str]) -> str:
    return ", ".join(repr(folder[:200]) for folder in folders)


def _http_announcement(url: str, folders: Sequence[str]) -> str:
    """The message to a person who starts the server over HTTP on a terminal."""
    return (
        f"Serving {f'{_quoted(folders)} ' if folders else ''}at {url}. Stop with Ctrl+C.\n"
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
