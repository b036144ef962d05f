import sys
from pathlib import Path

import pytest

from pincite.sources import mounts as module
from pincite.sources.mounts import Mounts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells its mounts")

LOCAL = "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw"


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([], ""),
        ([LOCAL], ""),
        ([LOCAL, "30 22 0:40 / /docs rw - nfs4 host:/x rw"], "nfs4"),
        ([LOCAL, "30 22 0:40 / /docs/a/b rw - fuse.sshfs host rw"], "fuse.sshfs"),
        ([LOCAL, "30 22 0:40 / /docs/a\\040b rw - cifs host rw"], "cifs"),
        ([LOCAL, "30 22 0:40 / /docsx rw - nfs host rw"], ""),
        ([LOCAL, "30 22 0:40 / /other rw - 9p host rw"], ""),
        (["22 1 0:1 / / rw - overlay overlay rw"], "overlay"),
        (["22 1 0:1 / / rw - overlay overlay rw", "30 22 254:1 / /docs rw - ext4 /dev/vdb rw"], ""),
        ([LOCAL, "30 22 0:4 / /docs rw - nfs h rw", "31 30 254:1 / /docs rw - xfs /dev/vdb rw"], ""),
        (["nonsense", "1 2 - x", LOCAL], ""),
    ],
)
def test_tells_a_file_system_that_changes_in_silence(
    lines: list[str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mountinfo").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(module, "MOUNTS", tmp_path / "mountinfo")
    mounts = Mounts()
    assert mounts.refresh("/docs") == kind
    mounts.close()


def test_names_the_places_below_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [LOCAL, "30 22 0:40 /x /docs/a\\040b/c rw - ext4 h rw", "31 22 0:40 / /docs rw - ext4 h rw"]
    (tmp_path / "mountinfo").write_text("\n".join(lines))
    monkeypatch.setattr(module, "MOUNTS", tmp_path / "mountinfo")
    mounts = Mounts()
    mounts.refresh("/docs")
    assert mounts.below == ("a b/c",)
    mounts.refresh("/")
    assert mounts.below == ("docs", "docs/a b/c")
    mounts.close()


def test_at_rest_nothing_has_changed_and_no_handle_is_left() -> None:
    mounts = Mounts()
    assert not mounts.have_changed("/")
    before = len(list(Path("/proc/self/fd").iterdir()))
    mounts.refresh("/")
    assert not mounts.have_changed("/")
    mounts.close()
    mounts.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before and not mounts.have_changed("/")
