from pathlib import Path, PurePosixPath

import pytest

from pincite.errors import WritingFailed
from pincite.services.extraction.capabilities import Capabilities

FILE = PurePosixPath("uploads/a/original.pdf")


def test_a_token_opens_its_file_and_index_wherever_the_folder_is(tmp_path: Path) -> None:
    token = Capabilities(tmp_path).grant(["doc_read"], "an-index", FILE, 60.0)
    tmp_path.rename(moved := tmp_path.with_name("moved"))
    found = Capabilities(moved).find(token)
    assert found is not None and found.tools == ("doc_read",)
    assert found.scope.collections == {"an-index"} and found.scope.files == {moved / FILE}


def test_a_token_ends_by_its_time_and_by_its_task(tmp_path: Path) -> None:
    capabilities = Capabilities(tmp_path)
    expired, revoked = (capabilities.grant([], "i", FILE, seconds) for seconds in (-1.0, 60.0))
    assert capabilities.find(expired) is None
    capabilities.revoke(revoked)
    assert capabilities.find(revoked) is None
    capabilities.grant([], "i", FILE, 60.0)
    assert len(list((tmp_path / "capabilities").iterdir())) == 1, "what has expired is deleted"


def test_the_folder_has_nothing_that_could_be_presented(tmp_path: Path) -> None:
    token = Capabilities(tmp_path).grant([], "i", FILE, 60.0)
    (stored,) = (tmp_path / "capabilities").iterdir()
    assert token not in stored.name + stored.read_text("utf-8")
    assert Capabilities(tmp_path).find(stored.stem) is None
    assert (tmp_path / "capabilities").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("token", ["", "pincite-task-", "pincite-task-\ud800", "pincite-task-../../x"])
def test_a_token_that_was_never_granted_opens_nothing(tmp_path: Path, token: str) -> None:
    assert Capabilities(tmp_path).find(token) is None


def test_a_damaged_entry_opens_nothing(tmp_path: Path) -> None:
    token = Capabilities(tmp_path).grant([], "i", FILE, 60.0)
    (stored,) = (tmp_path / "capabilities").iterdir()
    stored.write_text("{", "utf-8")
    assert Capabilities(tmp_path).find(token) is None


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "capabilities").write_text("in the way", "utf-8")
    with pytest.raises(WritingFailed, match="DATA_DIR"):
        Capabilities(tmp_path).grant([], "i", FILE, 60.0)
