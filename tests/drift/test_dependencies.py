"""Which parts of others could speak to a network: each was looked at (docs/decisions/0006)."""

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
CAN_CONNECT = {"cryptography", "hf-xet", "onnxruntime", "pillow", "uvloop"}
"""Dependencies at run time whose native code looks up host names. A new one belongs into the decision first."""

NATIVE = re.compile(r"\.(so|pyd|dll|dylib)(\.[\d.]+)?$")


def closure(name: str, extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """An installed distribution and all that it needs, by normalised name."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    while waiting:
        name, extras = waiting.pop()
        key = normal(name)
        if key in found:
            continue
        try:
            found[key] = distribution(name)
        except PackageNotFoundError:  # for another platform
            continue
        for line in found[key].requires or ():
            required = Requirement(line)
            if required.marker is None or any(required.marker.evaluate({"extra": e}) for e in ("", *extras)):
                waiting.append((required.name, tuple(required.extras)))
    return found


def can_connect(part: Distribution) -> bool:
    native = (Path(str(part.locate_file(file))) for file in part.files or () if NATIVE.search(file.name))
    return any(b"getaddrinfo" in file.read_bytes() for file in native if file.is_file())


def test_native_code_that_could_connect_is_known_and_looked_at() -> None:
    found = {name for name, part in closure("pincite", ("fastembed",)).items() if can_connect(part)}
    assert found <= CAN_CONNECT, "look at what it sends, then name it in docs/decisions/0006 and here"
    (file,) = (ROOT / "docs" / "decisions").glob("0006-*.md")
    decision = file.read_text(encoding="utf-8")
    assert [name for name in sorted(CAN_CONNECT) if f"`{name}`" not in decision] == []


def test_no_client_of_a_model_hub_is_installed_without_an_extra() -> None:
    lock = (ROOT / "requirements" / "runtime.lock").read_text(encoding="utf-8")
    assert re.findall(r"^(?:huggingface-hub|hf-xet|tokenizers|httpx|requests)==", lock, re.MULTILINE) == []


def imported(declared: set[str]) -> dict[str, str]:
    """The distributions that the code imports, each with a file that does; of several of one name the declared one."""
    providers = packages_distributions()
    found: dict[str, str] = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            packages = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"pincite"}
            for package in packages:
                # One that is not installed here has its own name, as all of the extras do.
                known = {normal(provider) for provider in providers.get(package, [package])}
                found[min(known & declared or known)] = path.name
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    declared = {normal(Requirement(line).name) for line in lines}
    used = imported(declared)
    assert {name: path for name, path in used.items() if name not in declared} == {}
    # What uvicorn runs on, and what shares the name `opentelemetry` with its API.
    beside = {"uvloop", "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"}
    assert declared - set(used) == beside


def test_a_library_of_a_licence_that_asks_for_it_is_in_the_notice() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    extras = ("fastembed", "ocr", "openai", "postgres", "qdrant")
    lesser = {name for name, part in closure("pincite", extras).items() if "LGPL" in _licence(part)}
    assert [name for name in sorted(lesser) if name.partition("-")[0] not in notice] == []
    assert "psycopg" in lesser


def _licence(part: Distribution) -> str:
    names = ("License-Expression", "License", "Classifier")
    return " ".join(line for name in names for line in part.metadata.get_all(name) or ())


def test_every_process_of_ours_turns_the_upload_off_before_the_import() -> None:
    code = "import os, pincite; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in __import__('sys').modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1", "False"]
