import pytest

from pincite.errors import Unsupported
from pincite.registry import Plugin, find, load, make

TABLE = (Plugin("one", "json:loads"), Plugin("two", "nowhere_to_be_found:x"))


def test_a_row_is_found_by_its_name_and_imported() -> None:
    assert load(find(TABLE, "one"))("[1]") == [1]


def test_an_unknown_name_lists_those_that_there_are() -> None:
    with pytest.raises(Unsupported, match=r"Unknown: 'three'\. Known: one, two\."):
        find(TABLE, "three")


def test_a_part_that_is_not_installed_says_how_to_install_it() -> None:
    with pytest.raises(Unsupported, match=r"pip install 'pincite\[more\]'"):
        load(Plugin("two", "nowhere_to_be_found:x", extra="more"))


def test_a_part_of_our_own_that_is_missing_is_a_fault() -> None:
    with pytest.raises(ModuleNotFoundError):
        load(Plugin("two", "pincite.nowhere:x", extra="more"))


def test_a_part_of_another_package_that_cannot_be_imported_or_made_names_its_package() -> None:
    sentence = (
        r"The package acme 1\.0 offers two, which cannot be used \(ModuleNotFoundError: .*\)\. Update the package"
    )
    with pytest.raises(Unsupported, match=sentence):
        load(Plugin("two", "nowhere_to_be_found:x", package="acme 1.0"))
    row = Plugin("one", "json:loads", package="acme 1.0")
    assert make(row, lambda target: target("[1]")) == [1]
    with pytest.raises(Unsupported, match=r"acme 1\.0 offers one, which cannot be used \(JSONDecodeError"):
        make(row, lambda target: target("["))


def test_a_fault_of_ours_is_not_taken_for_one_of_a_package() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        make(Plugin("one", "json:loads"), lambda target: target("["))
