"""Packages with parts for pincite: what contract tests need to know of these parts, and packages made for a test."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any


def offered(kind: str) -> Mapping[str, Any]:
    """What installed packages say of their parts for the contract tests, by name: `pincite.contracts.KIND`."""
    return {point.name: point.load() for point in entry_points(group=f"pincite.contracts.{kind}")}


def install(
    folder: Path, name: str, code: str, points: Mapping[str, Mapping[str, str]], *, metadata: str | None = None
) -> Path:
    """Write a package of one module into a folder of `sys.path`.

    Args:
        folder: The folder.
        name: The package's name; its module has underscores in it.
        code: The module's source.
        points: Group → name → what the entry point names.
        metadata: Instead of its metadata, which may be damaged; version 1.0 if None.
    """
    folder.mkdir(exist_ok=True)
    (folder / f"{name.replace('-', '_')}.py").write_text(code)
    described = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n" if metadata is None else metadata)
    groups = (
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in own.items()) for group, own in points.items()
    )
    (described / "entry_points.txt").write_text("\n".join(groups))
    return folder
