"""The first page of a package: its `__init__.py` says what it is for, and its list of modules is the folder's."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "pincite"

PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.relative_to(SOURCE).as_posix())
def test_says_what_it_is_for_and_lists_its_modules(package: Path) -> None:
    page = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    fields = dict(re.findall(r"^(Enters|Leaves|First|Free|Modules): (.+(?:\n    .+)*)", page, re.MULTILINE))
    assert list(fields) == ["Enters", "Leaves", "First", "Free", "Modules"]
    modules = ", ".join(sorted(_modules(package)))
    assert " ".join(fields["Modules"].split()) == f"{modules}.", f"{package}: Modules: {modules}."
    assert fields["First"].strip("`.") in modules


def _modules(package: Path) -> Iterator[str]:
    for path in package.iterdir():
        if (path / "__init__.py").exists():
            yield f"{path.name}/"
        elif path.suffix == ".py" and path.stem not in {"__init__", "__main__"}:
            yield path.stem
