from dataclasses import replace
from pathlib import Path

import pytest

from pincite.formats.base import OCR_NOT_INSTALLED
from pincite.formats.ocr import choice
from pincite.formats.ocr.choice import OCR_OFF, choose
from pincite.registry import RECOGNISERS


def test_off_turns_recognition_off() -> None:
    assert choose("off", "eng") == choice.Choice(absence=OCR_OFF)


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(RECOGNISERS[0], distribution="no-such-package-for-text-recognition")
    monkeypatch.setattr(choice, "RECOGNISERS", (row,))
    assert choose("auto", "eng").absence == OCR_NOT_INSTALLED
    assert "pip install 'pincite[ocr]'" in OCR_NOT_INSTALLED


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert choose("tesseract", "eng") == choice.Choice(
        absence="text recognition (OCR) needs the program tesseract (PINCITE_OCR)"
    )


def test_an_engine_is_identified_by_version_and_languages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "tesseract"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = choose("tesseract", "deu+eng")
    assert found.engine == "tesseract" and found.identity.endswith("-deu+eng") and not found.absence
    assert " " not in found.identity
