"""The commands of `eval/`, for tests that hold their figures; named by folder, such as `reading/boxes`."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

EVAL = Path(__file__).resolve().parents[2] / "eval"


def scorer(name: str) -> Any:
    """A command that compares readers, as a module: it knows how to score."""
    spec = importlib.util.spec_from_file_location(f"{name.replace('/', '_')}_scorer", EVAL / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str((EVAL / name).parent)
    if folder not in sys.path:
        sys.path.append(folder)  # its modules import each other
    spec.loader.exec_module(module)
    return module
