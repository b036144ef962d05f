"""`pincite key`: make a key for a server over HTTP."""

from typing import Annotated

import typer

from pincite.errors import InvalidInput
from pincite.services.access_keys import MAX_CALLS_PER_MINUTE, NAME, AccessKey, collections_of, digest, new_key
from pincite.transports.cli.parameters import Json
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program

program = new_program()


@program.command(epilog="Example: pincite key alice --sees handbook,api, then add the printed line to PINCITE_KEYS")
def key(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the key, for the log and the rate limit.")],
    sees: Annotated[
        str,
        typer.Option(
            "--sees",
            metavar="NAMES",
            help="Collections that the key may see, with commas between: names of served folders, library, and @tasks "
            "for the extraction tasks of everybody. Default: all.",
            show_default=False,
        ),
    ] = "*",
    rate: Annotated[
        int, typer.Option("--rate", min=0, max=MAX_CALLS_PER_MINUTE, help="Calls a minute; 0 for no limit.")
    ] = 60,
    as_json: Json = False,
) -> int:
    """Print a new key, and the line with its hash for the file that PINCITE_KEYS names.

    Nothing is stored: the key is seen this once. A server reads the file when it starts.
    """
    collections = collections_of(sees)
    if not NAME.fullmatch(name):
        raise InvalidInput("A key's name has letters, digits and . @ - _ only. Choose another one.")
    if collections is not None and not collections:
        raise InvalidInput("--sees names no collection. Name one, or leave it out for all.")
    secret = new_key()
    line = AccessKey(name, digest(secret), rate, collections).line()
    output = Output(as_json=as_json)
    output.data({"key": secret, "line": line})
    output.document(f"key   {secret}\nline  {line}\n")
    return 0
