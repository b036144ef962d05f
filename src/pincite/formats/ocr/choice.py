"""Which engine recognises text: the one of the settings, if it is installed. Imports no engine."""

import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pincite.formats.base import OCR_NOT_INSTALLED

AUTO, OFF = "auto", "off"
RAPIDOCR, TESSERACT = "rapidocr", "tesseract"
OCR_OFF = "text recognition (OCR) is turned off (PINCITE_OCR)"
NO_TESSERACT = "text recognition (OCR) needs the program tesseract (PINCITE_OCR)"


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
        languages: Those of Tesseract.
    """
    if name == OFF:
        return Choice(absence=OCR_OFF)
    if name == TESSERACT:
        program = shutil.which(TESSERACT)
        if program is None:
            return Choice(absence=NO_TESSERACT)
        # Its version would take a process; a new one has another time.
        return Choice(TESSERACT, f"{TESSERACT}-{int(Path(program).stat().st_mtime)}-{languages}")
    try:
        return Choice(RAPIDOCR, f"{RAPIDOCR}-{version(RAPIDOCR)}")
    except PackageNotFoundError:
        return Choice(absence=OCR_NOT_INSTALLED)
