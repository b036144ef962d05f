"""`pincite service`: a unit for systemd, an agent for launchd."""

import json
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from unit.transports.cli.conftest import Pincite


def test_a_unit_starts_the_server_with_absolute_paths(docs: Path, home: Path, pincite: Pincite) -> None:
    ran = pincite("service", "docs", "--for", "systemd", "--env-file", "pincite.env")
    assert ran.code == 0
    assert (
        f"ExecStart={sys.executable} -m pincite serve {docs} --transport http --env-file {home}/pincite.env" in ran.out
    )
    assert "Restart=on-failure" in ran.out
    described = json.loads(pincite("service", "docs", "--for", "systemd", "--env-file", "pincite.env", "--json").out)
    assert (described["manager"], described["unit"]) == ("systemd", ran.out)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_reads_the_unit_with_any_path(home: Path, pincite: Pincite) -> None:
    folder = home / 'odd %h $HOME "name'
    folder.mkdir()
    unit = home / "pincite.service"
    unit.write_text(pincite("service", folder, "--for", "systemd").out, encoding="utf-8")
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(unit)], capture_output=True, text=True, check=False, timeout=60
    )
    assert [line for line in ran.stderr.splitlines() if "pincite.service" in line] == []


def test_an_agent_of_launchd_has_the_same_command(docs: Path, pincite: Pincite) -> None:
    agent = plistlib.loads(pincite("service", f"api={docs}", f"guide={docs}", "--for", "launchd").out.encode())
    assert agent["ProgramArguments"] == [
        *(sys.executable, "-m", "pincite", "serve"),
        *(f"api={docs}", f"guide={docs}", "--transport", "http"),
    ]
    assert (agent["RunAtLoad"], agent["KeepAlive"]) == (True, {"SuccessfulExit": False})


def test_toolsets_need_no_folder(home: Path, pincite: Pincite) -> None:
    assert home.is_dir()
    ran = pincite("service", "--toolsets", "knowledge", "--for", "systemd")
    assert f"ExecStart={sys.executable} -m pincite serve --transport http --toolsets knowledge\n" in ran.out


def test_a_folder_that_is_not_there_is_refused(home: Path, pincite: Pincite) -> None:
    assert home.is_dir()
    ran = pincite("service", "nowhere")
    assert (ran.code, "There is no folder 'nowhere'" in ran.err) == (2, True)
