"""`pincite doctor`."""

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Docs, EnvFile, Json

program = typer.Typer()


@program.command(epilog="Example: pincite doctor --docs ./docs")
def doctor(docs: Docs = HERE, env_file: EnvFile = None, as_json: Json = False) -> None:
    """Check what is installed, configured and reachable, and say how to fix what is not."""
    run("doctor", docs=docs, env_file=env_file, as_json=as_json)
