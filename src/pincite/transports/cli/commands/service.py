"""`pincite service`: print the unit that keeps a server running, for systemd or launchd."""

import plistlib
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.folders import arguments_of, folders_of, served_folders
from pincite.transports.cli.opening.places import existing
from pincite.transports.cli.parameters import EnvFile, Folders, Json, Toolsets
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program

program = new_program()

LABEL = "pincite"


class Manager(StrEnum):
    """What starts services."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


@program.command(
    epilog="Example: pincite service ./docs > ~/.config/systemd/user/pincite.service, then systemctl --user enable "
    "--now pincite"
)
def service(
    folders: Folders = None,
    manager: Annotated[
        Manager | None,
        typer.Option("--for", help="What starts it. Default: launchd on macOS, else systemd.", show_default=False),
    ] = None,
    toolsets: Toolsets = None,
    env_file: EnvFile = None,
    as_json: Json = False,
) -> int:
    """Print a unit that serves over HTTP when you log in, starts again after a failure, and installs nothing.

    Settings come from --env-file, which the server reads itself: a key in it is not printed.
    """
    served = served_folders(folders or ())
    for folder in folders_of(served):
        existing(folder)
    # A service is started elsewhere: nothing may be relative.
    named = {name: folder.resolve() for name, folder in served.items()} if isinstance(served, Mapping) else served
    arguments = arguments_of(named.resolve() if isinstance(named, Path) else named)
    command = [sys.executable, "-m", "pincite", "serve", *arguments, "--transport", "http"]
    command += ["--toolsets", toolsets] if toolsets else []
    command += ["--env-file", str(env_file.resolve())] if env_file else []
    chosen = manager or (Manager.LAUNCHD if sys.platform == "darwin" else Manager.SYSTEMD)
    unit = _unit(command) if chosen is Manager.SYSTEMD else _plist(command)
    output = Output(as_json=as_json)
    output.data({"manager": chosen, "command": command, "unit": unit})
    output.document(unit)
    return 0


def _unit(command: list[str]) -> str:
    return f"""\
[Unit]
Description=pincite, documents for AI agents
After=network.target

[Service]
ExecStart={" ".join(map(_quoted, command))}
WorkingDirectory=%h
Restart=on-failure
RestartSec=5
NoNewPrivileges=true

[Install]
WantedBy=default.target
"""


def _quoted(argument: str) -> str:
    """Return an argument as systemd reads it: `%` and `$` have a meaning there."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != argument or not argument or any(map(str.isspace, argument)) else argument


def _plist(command: list[str]) -> str:
    log = str(Path.home() / "Library" / "Logs" / f"{LABEL}.log")
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": command,
            "WorkingDirectory": str(Path.home()),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 5,
            "StandardErrorPath": log,
        },
        sort_keys=False,
    ).decode()
