from pathlib import Path

from pincite.settings import load


def test_allowed_roots_may_have_spaces() -> None:
    extraction = load({"ALLOWED_ROOTS": "/srv/my documents, /data:/mnt/x"}).extraction
    assert extraction.allowed_roots == (Path("/srv/my documents"), Path("/data"), Path("/mnt/x"))
