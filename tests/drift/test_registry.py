import importlib
import inspect
import tomllib
from pathlib import Path

import pytest

from pincite import registry
from pincite.errors import Unsupported
from pincite.registry import (
    AGENTS,
    EMBEDDERS,
    FORMATS,
    MIRRORS,
    POLICIES,
    RERANKERS,
    SOURCES,
    STORES,
    TASK_DATABASES,
    TOOLSETS,
    TRANSPORTS,
    Format,
    Plugin,
)
from pincite.settings import SECTIONS

ROOT = Path(__file__).resolve().parents[2]
ROWS: tuple[Plugin | Format, ...] = (
    *FORMATS,
    *EMBEDDERS,
    *RERANKERS,
    *STORES,
    *TASK_DATABASES,
    *MIRRORS,
    *AGENTS,
    *SOURCES,
    *POLICIES,
    *TOOLSETS,
    *TRANSPORTS,
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.target)
def test_a_row_names_something_that_is_there(row: Plugin | Format) -> None:
    if not row.extra or _installed(row.target):
        assert callable(registry.load(row))
    else:
        with pytest.raises(Unsupported, match=rf"pip install 'pincite\[{row.extra}\]'"):
            registry.load(row)


def _installed(target: str) -> bool:
    """Whether a module can be imported that needs an optional part."""
    try:
        importlib.import_module(target.partition(":")[0])
    except ModuleNotFoundError:
        return False
    return True


def test_every_reader_has_its_row() -> None:
    folder = ROOT / "src"
    files = (folder / "pincite" / "formats").rglob("[a-z]*.py")
    names = [".".join(file.relative_to(folder).with_suffix("").parts) for file in files]
    absent = {row.target for row in FORMATS if row.extra and not _installed(row.target)}
    modules = [importlib.import_module(name) for name in names if f"{name}:read" not in absent]
    readers = {
        f"{module.__name__}:read"
        for module in modules
        if inspect.isfunction(getattr(module, "read", None)) and module.read.__module__ == module.__name__
    }
    assert readers == {row.target for row in FORMATS} - absent


def test_every_renderer_has_its_row() -> None:
    folder = ROOT / "src"
    files = (folder / "pincite" / "formats").rglob("render.py")
    names = [".".join(file.relative_to(folder).with_suffix("").parts) for file in files]
    assert {f"{name}:render" for name in names} == {row.renderer for row in FORMATS if row.renderer}
    assert all(callable(registry.load_renderer(row)) for row in FORMATS if row.renderer)


def test_every_toolset_has_its_row() -> None:
    folder = ROOT / "src" / "pincite" / "tools"
    assert {row.target.partition(":")[0] for row in TOOLSETS} == {
        f"pincite.tools.{file.stem}" for file in folder.glob("[a-z]*.py") if file.stem != "base"
    }


def test_every_policy_has_its_row() -> None:
    files = (ROOT / "src" / "pincite" / "chunking").glob("[a-z]*.py")
    modules = [importlib.import_module(f"pincite.chunking.{file.stem}") for file in files if file.stem != "base"]
    policies = {
        f"{module.__name__}:{name}"
        for module in modules
        for name, part in inspect.getmembers(module, inspect.isclass)
        if part.__module__ == module.__name__ and {"identity", "cut"} <= vars(part).keys()
    }
    assert policies == {row.target for row in POLICIES}


def test_names_and_extensions_are_unique() -> None:
    for table in (FORMATS, EMBEDDERS, RERANKERS, STORES, SOURCES, POLICIES, AGENTS, TOOLSETS, TRANSPORTS):
        assert len({row.name for row in table}) == len(table)
    extensions = [extension for row in FORMATS for extension in row.extensions]
    assert len(set(extensions)) == len(extensions)
    assert all(extension == extension.lower() and extension.startswith(".") for extension in extensions)


def test_extras_that_rows_name_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {row.extra for row in ROWS if row.extra} <= set(project.get("optional-dependencies", {}))


def test_sections_that_rows_name_are_in_the_settings() -> None:
    assert {row.section for row in ROWS if isinstance(row, Plugin)} - {""} <= SECTIONS.keys()
