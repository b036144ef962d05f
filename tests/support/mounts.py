"""Processes in a name space of their own, where a small disk is mounted."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence

import pytest


def mounted(mount: str, command: Sequence[str]) -> list[str]:
    """The command, after another one that mounts a disk; the test is skipped where that may not be."""
    unshare = shutil.which("unshare")
    if unshare is None or os.name != "posix":
        pytest.skip("no unshare here to mount a disk with")
    own = [unshare, "--user", "--map-root-user", "--mount", "sh", "-c"]
    probe = subprocess.run([*own, mount], check=False, capture_output=True, text=True)
    if probe.returncode:
        pytest.skip(f"nothing may be mounted here: {probe.stderr.strip()}")
    return [*own, f"{mount} && exec {shlex.join(command)}"]
