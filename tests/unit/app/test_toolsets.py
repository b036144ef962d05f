import pytest

from pincite import registry
from pincite.app.toolsets import served_toolsets
from pincite.errors import InvalidInput


@pytest.mark.parametrize(
    ("names", "with_folder", "served"),
    [
        ((), True, {"docs", "citations"}),
        ((), False, {"knowledge", "citations"}),
        (("all",), True, {row.name for row in registry.TOOLSETS}),
        (("all",), False, {row.name for row in registry.TOOLSETS if "folder" not in row.needs}),
        (("citations",), False, {"citations"}),
    ],
)
def test_toolsets_are_served_as_they_are_named(names: tuple[str, ...], with_folder: bool, served: set[str]) -> None:
    assert {row.name for row in served_toolsets(names, with_folder=with_folder)} == served


def test_a_toolset_that_serves_a_folder_asks_for_it() -> None:
    with pytest.raises(InvalidInput, match="The toolset docs serves a folder"):
        served_toolsets(("citations", "docs"), with_folder=False)
