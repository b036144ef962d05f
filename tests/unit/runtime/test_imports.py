"""Packages that are executed when something is first read from them."""

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.runtime import imports

NAME = "deferred_sample"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a module and a package in it, whose `__init__` modules count how often they are executed."""
    counted = "import sys\nsys.executed = [*getattr(sys, 'executed', []), __name__]\n"
    for folder in (tmp_path / NAME, tmp_path / NAME / "inner"):
        folder.mkdir()
        (folder / "__init__.py").write_text(f"{counted}from .part import VALUE\n__all__ = ['VALUE']\n")
        (folder / "part.py").write_text("VALUE = 7\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    importlib.invalidate_caches()
    monkeypatch.setattr(sys, "executed", [], raising=False)
    yield tmp_path / NAME
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def executed() -> list[str]:
    return getattr(sys, "executed", [])


def defer_both() -> None:
    imports.defer(NAME, f"{NAME}.inner")


@pytest.mark.usefixtures("package")
def test_a_module_is_imported_without_the_packages_that_contain_it() -> None:
    defer_both()
    assert importlib.import_module(f"{NAME}.inner.part").VALUE == 7
    assert executed() == []


@pytest.mark.usefixtures("package")
def test_a_name_that_is_read_executes_its_package_once() -> None:
    defer_both()
    inner = importlib.import_module(f"{NAME}.inner")
    assert (inner.VALUE, inner.VALUE, inner.__all__) == (7, 7, ["VALUE"])
    assert executed() == [f"{NAME}.inner"]
    assert importlib.import_module(NAME).inner is inner
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = inner.missing
    assert executed() == [f"{NAME}.inner"]


@pytest.mark.usefixtures("package")
def test_from_imports_find_names_and_modules() -> None:
    defer_both()
    names: dict[str, object] = {}
    exec(f"from {NAME} import VALUE, part, inner", names)  # noqa: S102 - the statement itself is tested
    assert names["VALUE"] == 7
    assert names["part"] is sys.modules[f"{NAME}.part"]
    assert names["inner"] is sys.modules[f"{NAME}.inner"]


@pytest.mark.usefixtures("package")
def test_several_threads_execute_it_once() -> None:
    defer_both()
    start, values = threading.Barrier(8), list[int]()

    def read() -> None:
        start.wait()
        values.append(sys.modules[NAME].VALUE)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (values, executed()) == ([7] * 8, [NAME])


def test_a_package_that_fails_is_executed_again(package: Path) -> None:
    broken = package / "__init__.py"
    broken.write_text("raise ImportError('not now')\n")
    defer_both()
    with pytest.raises(ImportError, match="not now"):
        _ = sys.modules[NAME].VALUE
    broken.write_text("VALUE = 'repaired'\n")
    assert sys.modules[NAME].VALUE == "repaired"


@pytest.mark.usefixtures("package")
def test_what_is_imported_already_or_is_no_package_stays_as_it_is() -> None:
    imported = importlib.import_module(NAME)
    imports.defer(NAME, f"{NAME}.part", "not_installed_here")
    assert sys.modules[NAME] is imported
    assert f"{NAME}.part" in sys.modules  # by its package, as ever
    assert "not_installed_here" not in sys.modules
