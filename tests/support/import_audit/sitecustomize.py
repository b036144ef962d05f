"""Run at the start of a server whose PYTHONPATH has this folder: report imports that another thread can disturb."""

import sys
from typing import Any


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    """Report a foreign module that is imported for the first time while the import lock is not held."""
    imports = sys.modules.get("pincite.runtime.imports")
    if event != "import" or imports is None:
        return
    package = str(arguments[0]).partition(".")[0]
    if package != "pincite" and package not in sys.stdlib_module_names and not imports._LOADING._is_owned():
        sys.stderr.write(f"unguarded import of {arguments[0]}\n")


sys.addaudithook(_audit)
