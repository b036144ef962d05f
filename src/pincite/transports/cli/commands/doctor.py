"""`pincite doctor`: check what is installed, configured and reachable, and say how to fix what is not."""

from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path

from pincite import registry
from pincite.app import App, build_embedder, is_remote
from pincite.app.mirrors import build_mirror
from pincite.errors import ConfigError
from pincite.index.status import language_advice
from pincite.model.call import Call
from pincite.settings import Settings, unprefixed
from pincite.transports.cli.checks import installation
from pincite.transports.cli.checks.clients import client_checks
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.checks.server import server_check
from pincite.transports.cli.checks.services import service_checks
from pincite.transports.cli.clients.known import CLIENTS
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import of_indexed
from pincite.transports.cli.opening.places import folder_of
from pincite.transports.cli.parameters import HERE, Docs, EnvFile, Folder, Json
from pincite.transports.cli.printing.output import Output, brief, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import CONFIGURATION, PARTIAL, SUCCESS
from pincite.version import __version__

program = new_program()

_SIGNS = {State.OK: ("ok", "green"), State.WARNING: ("warn", "yellow"), State.FAILURE: ("FAIL", "red")}


@program.command(epilog="Example: pincite doctor ./docs")
def doctor(folder: Folder = None, docs: Docs = None, env_file: EnvFile = None, as_json: Json = False) -> int:
    """Check what is installed, configured and reachable, and say how to fix what is not."""
    named = folder or docs
    docs = folder_of(named or HERE)
    output = Output(as_json=as_json)
    checks = [Check("pincite", State.OK, __version__), installation.python(), installation.sqlite()]
    # Without a folder the settings are those of the commands that take none.
    served = docs if named else None
    dotenv = env_file or configuration.find_env_file(Path.cwd(), served)
    source = f".env: {dotenv}" if dotenv else "No .env file is read"
    if dotenv and not env_file and dotenv.is_relative_to(docs.resolve()):
        source += " (not by commands that search or serve this folder)"
    code = SUCCESS
    try:
        settings = configuration.for_shell(env_file, None, served, warn=False)
    except ConfigError as error:
        checks.append(Check("settings", State.FAILURE, f"{source}. {error.message}", "Correct these settings."))
        code = CONFIGURATION
    else:
        ignored = " ".join(configuration.warnings(settings, dotenv))
        if short := unprefixed(dotenv):
            source += f". Set by short names, without PINCITE_: {', '.join(short)}"
        checks.append(Check("settings", State.WARNING if ignored else State.OK, source, ignored))
        checks += [*_installation(settings), *_languages(settings, docs)]
    checks += [*_plugins(), installation.documents(docs), installation.watching(docs)]
    checks += [check for client in CLIENTS for check in client_checks(client)]
    _print(output, checks)
    if code == SUCCESS and installation.worst(checks) is State.FAILURE:
        return PARTIAL
    return code


def _plugins() -> list[Check]:
    """Check what other packages add, if they add anything."""
    added = [f"{row.name} ({row.package})" for table in registry.EXTENSIBLE for row in table if row.package]
    problems = registry.problems()
    if not added and not problems:
        return []
    state = State.WARNING if problems else State.OK
    return [Check("plug-ins", state, ", ".join(added) or "none can be used", " ".join(problems))]


def _installation(settings: Settings) -> list[Check]:
    cache = installation.cache(settings.storage.cache)
    journal = [installation.journal(settings.storage.cache)] if cache.state is not State.FAILURE else []
    # `doctor` fetches nothing: it checks the model that is installed.
    offline = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"fetch": False})})
    models = [installation.model(build_embedder(offline), Call()), *_service(settings)]
    services = [*_vector_store(offline), *service_checks(settings)]
    return [cache, *journal, *models, *services, server_check(settings.http)]


def _languages(settings: Settings, docs: Path) -> list[Check]:
    """Say which model finds the documents by meaning if they are indexed and this one does not know their language."""
    if not docs.is_dir():
        return []
    with closing(App(settings, docs)) as app:
        advice = of_indexed(app, partial(language_advice, provider=settings.embedding.provider)) or ()
    fix = "Install it: pip install 'pincite[fastembed]'. The documents are embedded again."
    return [Check("languages", State.WARNING, each, fix) for each in advice]


def _service(settings: Settings) -> list[Check]:
    """Check the service that embeds the library, if one does: it gets one word."""
    name = settings.embedding.provider
    return [installation.service(build_embedder(settings, name))] if is_remote(name) else []


def _vector_store(settings: Settings) -> list[Check]:
    """Check the engine that searches the library, if it is not the library's own."""
    name = settings.vectors.name
    if all(row.name != name for row in registry.MIRRORS):
        return []
    embedder = build_embedder(settings, settings.embedding.provider)
    return [installation.vector_store(name, partial(build_mirror, settings, embedder))]


def _print(output: Output, checks: list[Check]) -> None:
    output.data({"state": installation.worst(checks), "checks": [asdict(check) for check in checks]})
    width = max(len(check.name) for check in checks)
    for check in checks:
        word, style = _SIGNS[check.state]
        output.entry(f"{word:<4}  {check.name:<{width}}  ", brief(safe(check.found)), style)
        if check.fix:
            output.entry(" " * (width + 8), check.fix)
