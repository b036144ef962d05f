from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


def test_formats_are_named_or_given_by_extension() -> None:
    extraction = load({"EXTRACTION_FORMATS": "PDF, .docx md xls"}).extraction
    assert extraction.formats == ("pdf", "docx", "markdown", "sheets")
    with pytest.raises(ConfigError, match="EXTRACTION_FORMATS: unknown format exe"):
        load({"EXTRACTION_FORMATS": "pdf,exe"})


def test_allowed_roots_may_have_spaces() -> None:
    extraction = load({"ALLOWED_ROOTS": "/srv/my documents, /data:/mnt/x"}).extraction
    assert extraction.allowed_roots == (Path("/srv/my documents"), Path("/data"), Path("/mnt/x"))


def test_a_webhook_needs_an_address_and_a_secret() -> None:
    extraction = load({"PINCITE_WEBHOOK_URL": "https://a.example/hook", "PINCITE_WEBHOOK_SECRET": "s"}).extraction
    assert extraction.webhook_url == "https://a.example/hook"
    with pytest.raises(ConfigError, match="PINCITE_WEBHOOK_SECRET: set it"):
        load({"PINCITE_WEBHOOK_URL": "https://a.example/hook"})
    with pytest.raises(ConfigError, match="PINCITE_WEBHOOK_URL: write an address"):
        load({"PINCITE_WEBHOOK_URL": "a.example", "PINCITE_WEBHOOK_SECRET": "s"})
