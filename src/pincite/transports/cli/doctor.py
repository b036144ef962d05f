"""`pincite doctor`: check what is installed, configured and reachable, and say how to fix what is not."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from pincite.app import build_embedder
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.services import health
from pincite.services.health import Check, State
from pincite.settings import Settings
from pincite.transports.cli import clients, configuration
from pincite.transports.cli.clients import Client
from pincite.transports.cli.exit_codes import CONFIGURATION, PARTIAL, SUCCESS
from pincite.transports.cli.output import Output, brief, safe
from pincite.version import __version__

_SIGNS = {State.OK: ("ok", "green"), State.WARNING: ("warn", "yellow"), State.FAILURE: ("FAIL", "red")}


def run(*, docs: Path, env_file: Path | None, as_json: bool) -> int:
    """Run and print all checks, without network.

    Returns:
        3 if the configuration is invalid, 1 if another check failed, else 0.
    """
    output = Output(as_json=as_json)
    checks = [Check("pincite", State.OK, __version__), health.python(), health.sqlite()]
    found = env_file or configuration.find_env_file(Path.cwd(), docs)
    source = f".env: {found}" if found else "No .env file is read"
    code = SUCCESS
    try:
        settings = configuration.for_shell(env_file, None, docs, warn=False)
    except ConfigError as error:
        checks.append(Check("settings", State.FAILURE, f"{source}. {error.message}", "Correct these settings."))
        code = CONFIGURATION
    else:
        ignored = " ".join(configuration.warnings(settings, found))
        checks.append(Check("settings", State.WARNING if ignored else State.OK, source, ignored))
        checks += _installation(settings)
    checks += [health.documents(docs), health.watching(docs)]
    checks += [check for client in clients.CLIENTS if (check := _client(client)) is not None]
    _print(output, checks)
    if code == SUCCESS and health.worst(checks) is State.FAILURE:
        return PARTIAL
    return code


def _installation(settings: Settings) -> list[Check]:
    cache = health.cache(settings.storage.cache)
    journal = [health.journal(settings.storage.cache)] if cache.state is not State.FAILURE else []
    # `doctor` contacts no network: it checks the model that is installed.
    offline = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"fetch": False})})
    return [cache, *journal, health.model(build_embedder(offline), Call())]


def _client(client: Client) -> Check | None:
    """Check that a server of ours in a client's file can start; None if the file has no such server."""
    file = client.file(Path.cwd())
    name = f"client {client.name}"
    try:
        servers: dict[str, Any] = clients.read(client, file).get(client.key, {})
    except ConfigError as error:
        return Check(name, State.WARNING, error.message, "Correct the file.")
    for server, entry in servers.items():
        if not isinstance(entry, dict):
            continue
        line = cast("dict[str, Any]", entry)
        parts = [str(part) for part in (line.get("command", ""), *(line.get("args") or ()))]
        if not any(Path(part).name == "pincite" for part in parts):
            continue
        missing = [part for part in (parts[0], parts[-1]) if Path(part).is_absolute() and not Path(part).exists()]
        if missing:
            fix = f"Write it again: pincite connect {client.name} FOLDER --name {server} --write"
            return Check(name, State.WARNING, f"{file} names {missing[0]}, which does not exist", fix)
        return Check(name, State.OK, f"{file}: {server!r}")
    return None


def _print(output: Output, checks: list[Check]) -> None:
    output.data({"state": health.worst(checks), "checks": [asdict(check) for check in checks]})
    width = max(len(check.name) for check in checks)
    for check in checks:
        word, style = _SIGNS[check.state]
        output.line(f"{output.style(f'{word:<4}', style)}  {check.name:<{width}}  {brief(safe(check.found))}")
        if check.fix:
            output.line(f"{'':<{width + 8}}{safe(check.fix)}")
