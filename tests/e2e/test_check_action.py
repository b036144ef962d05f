"""The GitHub Action and the pre-commit hook: their own steps, run as the runner and pre-commit do."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

import pincite

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.executable).with_name("pincite")


def _inputs(action: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    return {name: given.get(name) or str(field["default"]) for name, field in action["inputs"].items()}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose report quotes its documents once right and once wrong."""
    docs = tmp_path / "repo" / "docs"
    docs.mkdir(parents=True)
    (docs / "keys.md").write_text("# Keys\n\nRotate the signing keys every month.\n", encoding="utf-8")
    settings = {"PINCITE_CACHE": tmp_path / "cache" / "pincite", "PINCITE_FETCH_MODEL": False}
    with pincite.open(docs, settings=settings) as opened:
        ref = opened.search('"every month"')[0].ref
    (docs.parent / "right.md").write_text(f"> Rotate the signing keys every month.\n> — `{ref}`\n", encoding="utf-8")
    (docs.parent / "wrong.md").write_text(f"> Rotate the keys every year.\n> — `{ref}`\n", encoding="utf-8")
    return docs.parent


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A runner on which pincite was installed by the first step."""
    bin_ = tmp_path / "runner" / "pincite" / "bin"
    bin_.mkdir(parents=True)
    (bin_ / "pincite").symlink_to(COMMAND)
    own = {"RUNNER_TEMP": str(tmp_path / "runner"), "PINCITE_CACHE": str(tmp_path / "cache" / "pincite")}
    return {**os.environ, **own, "PINCITE_FETCH_MODEL": "false"}


@pytest.mark.parametrize(("file", "code"), [("right.md", 0), ("wrong.md", 1)])
def test_the_action_fails_a_build_whose_quotation_does_not_hold(
    file: str, code: int, repository: Path, environment: dict[str, str]
) -> None:
    action = cast("dict[str, Any]", yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8")))
    inputs = _inputs(action, {"files": file, "against": "docs"})
    install, check = action["runs"]["steps"]
    assert "pip install" in install["run"]
    for name, expression in check["env"].items():
        given = str(expression).removeprefix("${{ inputs.").removesuffix(" }}")
        environment[name] = inputs.get(given, given)
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", check["run"]],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    assert ran.stdout.startswith("::error file=wrong.md,line=2,") if code else ran.stdout == ""


@pytest.mark.parametrize(("file", "code"), [("right.md", 0), ("wrong.md", 1)])
def test_the_hook_fails_a_commit_whose_quotation_does_not_hold(
    file: str, code: int, repository: Path, environment: dict[str, str]
) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command = [str(COMMAND.with_name(hook["entry"].split()[0])), *hook["entry"].split()[1:], "--against", "docs", file]
    ran = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
