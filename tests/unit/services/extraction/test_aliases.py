from pathlib import Path

import pytest

from pincite.errors import WritingFailed
from pincite.services.extraction.aliases import Aliases


def test_an_alias_stands_for_what_was_given_last(tmp_path: Path) -> None:
    aliases = Aliases(tmp_path / "aliases")
    assert aliases.get("sheet") is None
    aliases.put("sheet", "a" * 64)
    aliases.put("sheet", "b" * 64)
    aliases.put("../../etc/ü\ud800", "c" * 64)
    again = Aliases(tmp_path / "aliases")
    assert (again.get("sheet"), again.get("../../etc/ü\ud800")) == ("b" * 64, "c" * 64)
    assert len(list((tmp_path / "aliases").iterdir())) == 2


def test_a_damaged_alias_stands_for_nothing(tmp_path: Path) -> None:
    aliases = Aliases(tmp_path)
    aliases.put("sheet", "a" * 64)
    next(tmp_path.iterdir()).write_bytes(b"\xff\xfe")
    assert aliases.get("sheet") is None


def test_a_disk_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "aliases").write_text("a file in the way")
    with pytest.raises(WritingFailed, match="cache_key"):
        Aliases(tmp_path / "aliases").put("sheet", "a")
