"""Rows of other packages: after ours, never in the place of ours, and left out with a sentence if they are broken."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.runtime import entry_points
from pincite.runtime.entry_points import Table
from support.packages import install


@dataclass(frozen=True)
class Row:
    name: str
    extensions: tuple[str, ...] = ()
    safe: bool = False
    package: str = ""


OURS = Row("ours", (".our",))
KIND = "from test_rows import Row\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of `sys.path` whose packages can import the row's class."""
    monkeypatch.setitem(sys.modules, "test_rows", sys.modules[__name__])
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    entry_points.installed.cache_clear()
    yield tmp_path
    entry_points.installed.cache_clear()
    for name in [name for name in sys.modules if name.startswith("acme_")]:
        del sys.modules[name]


def table(**adopted: bool) -> Table[Row]:
    return Table("pincite.tests", [OURS], **adopted)


def test_a_row_of_another_package_comes_after_ours_and_names_its_package(place: Path) -> None:
    install(place, "acme-ini", f"{KIND}ROW = Row('ini', ('.ini',))", {"pincite.tests": {"ini": "acme_ini:ROW"}})
    assert list(table()) == [OURS, Row("ini", (".ini",), package="acme-ini 1.0")]
    assert (len(table()), table()[0], table().problems) == (2, OURS, ())


def test_what_is_not_theirs_to_choose_is_set_by_the_table(place: Path) -> None:
    install(place, "acme-ini", f"{KIND}ROW = Row('ini')", {"pincite.tests": {"ini": "acme_ini:ROW"}})
    assert table(safe=True)[1].safe


def test_other_packages_are_looked_for_only_beyond_our_rows(place: Path) -> None:
    install(place, "acme-ini", "raise SystemError", {"pincite.tests": {"ini": "acme_ini:ROW"}})
    rows = table()
    assert next(iter(rows)) is OURS
    assert "_others" not in vars(rows)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import nowhere_to_be_found", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise ValueError", "ValueError"),
        ("x = 1", "AttributeError: module 'acme_ini' has no attribute 'ROW'"),
        ("ROW = 'ini'", "TypeError: acme_ini:ROW is no Row of the name ini"),
        (f"{KIND}ROW = Row('other')", "TypeError: acme_ini:ROW is no Row of the name ini"),
        (f"{KIND}ROW = Row('ini', ('.new', '.our'))", "ValueError: .our is taken"),
    ],
)
def test_a_broken_row_is_left_out_and_a_sentence_names_its_package(place: Path, code: str, reason: str) -> None:
    install(place, "acme-ini", code, {"pincite.tests": {"ini": "acme_ini:ROW"}})
    assert list(table()) == [OURS]
    assert table().problems == (
        f"The package acme-ini 1.0 offers ini, which cannot be used ({reason}). Update the package, or uninstall it.",
    )


def test_a_name_of_ours_cannot_be_taken(place: Path) -> None:
    install(place, "acme-ours", f"{KIND}ROW = Row('ours')", {"pincite.tests": {"ours": "acme_ours:ROW"}})
    assert list(table()) == [OURS]
    assert "The package acme-ours 1.0 offers ours" in table().problems[0] and "ours is taken" in table().problems[0]


def test_of_two_packages_with_one_name_the_first_by_name_is_taken(place: Path) -> None:
    for name in ("acme-b", "acme-a"):
        module = name.replace("-", "_")
        install(place, name, f"{KIND}ROW = Row('ini')", {"pincite.tests": {"ini": f"{module}:ROW"}})
    assert [row.package for row in table()] == ["", "acme-a 1.0"]
    assert table().problems[0].startswith("The package acme-b 1.0 offers ini")


def test_a_package_without_metadata_is_called_by_its_module(place: Path) -> None:
    install(place, "acme-ini", "raise ValueError", {"pincite.tests": {"ini": "acme_ini:ROW"}}, metadata="")
    (place / "acme_ini-1.0.dist-info" / "METADATA").unlink()
    assert list(table()) == [OURS]
    assert "acme_ini" in table().problems[0]


def test_a_place_that_is_no_folder_is_passed_over(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(place / "absent.zip"), *sys.path])
    assert list(table()) == [OURS]
