"""Which engine recognises text: the one of the settings, if it is installed. Imports no engine."""

import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pincite.registry import RECOGNISERS, find

AUTO, OFF = "auto", "off"
OCR_OFF = "text recognition (OCR) is turned off (PINCITE_OCR)"


@dataclass(frozen=True, slots=True)
class Choice:
    """An engine, or why there is none.

    Attributes:
        engine: Its name in the registry; empty for none.
        identity: Its name and version, without spaces; documents that another engine read are read again.
        absence: Why pictures of text are not recognised, as the end of a sentence; empty if they are.
    """

    engine: str = ""
    identity: str = ""
    absence: str = ""


def choose(name: str, languages: str) -> Choice:
    """Return the engine of a setting.

    Args:
        name: Its name, `auto` or `off`.
        languages: Those of an engine that is a program.
    """
    if name == OFF:
        return Choice(absence=OCR_OFF)
    row = RECOGNISERS[0] if name == AUTO else find(RECOGNISERS, name)
    if row.program:
        program = shutil.which(row.program)
        if program is None:
            return Choice(absence=f"text recognition (OCR) needs the program {row.program} (PINCITE_OCR)")
        # Its version would take a process; a new one has another time.
        return Choice(row.name, f"{row.name}-{int(Path(program).stat().st_mtime)}-{languages}")
    try:
        return Choice(row.name, f"{row.name}-{version(row.distribution)}")
    except PackageNotFoundError:
        return Choice(absence=f"text recognition (OCR) needs pip install 'pincite[{row.extra}]'")
