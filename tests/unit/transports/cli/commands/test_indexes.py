import json
import shutil
from pathlib import Path

from unit.transports.cli.conftest import Pincite


def test_an_index_whose_folder_is_gone_is_pruned(docs: Path, pincite: Pincite) -> None:
    assert pincite("status", "--all").out == "The cache has no index.\n"
    assert pincite("search", "keys", "--docs", docs).code == 0
    (row,) = json.loads(pincite("status", "--all", "--json").out)["indexes"]
    assert (row["gone"], row["removed"]) == (False, False)
    shutil.rmtree(docs)
    assert "kept: its folder is empty, as that of a volume that is not mounted" in pincite("status", "--all").out
    (docs.parent / "other").mkdir()
    assert "folder is gone" in pincite("status", "--all").out
    assert "removed" in pincite("status", "--all", "--prune").out
    assert pincite("status", "--all").out == "The cache has no index.\n"
