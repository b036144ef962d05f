"""The state of the folder's git repository, read without running any code from the repository."""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.runtime.children import confined, environment

# Settings of the repository's own configuration that would run a program or use the network.
_SAFE = (
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    f"core.hooksPath={os.devnull}",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
}
"""The only variables of git: a caller's GIT_DIR or GIT_CONFIG_* would make it report on another repository or run its
settings."""

_FILTER_COMMANDS = (".clean", ".smudge", ".process")


@dataclass(frozen=True, slots=True)
class GitFacts:
    """The state of a repository; values are None if git cannot tell.

    Attributes:
        head_commit: Short hash of HEAD.
        origin_main: Short hash of `origin/main` as last fetched.
        dirty: Whether the folder (not the rest of the repository) differs from HEAD, including new files
            that are not ignored.
    """

    head_commit: str | None = None
    origin_main: str | None = None
    dirty: bool | None = None


def facts(root: Path, timeout: float) -> GitFacts | None:
    """Return the state of the repository that contains a folder. Never fails, never uses the network.

    Args:
        root: The folder.
        timeout: Seconds for all git commands together; values not known by then are None.

    Returns:
        None outside a repository.
    """
    git = _Git(root, time.monotonic() + timeout)
    if git.run_git("rev-parse", "--git-dir") is None:
        return GitFacts() if _has_git_folder(root) else None
    return GitFacts(
        head_commit=git.run_git("rev-parse", "--short", "--verify", "--quiet", "HEAD^{commit}") or None,
        origin_main=git.run_git("rev-parse", "--short", "--verify", "--quiet", "refs/remotes/origin/main^{commit}")
        or None,
        dirty=_dirty(git),
    )


class _Git:
    """The git program in one folder, with hooks, filters and network access disabled."""

    def __init__(self, root: Path, deadline: float) -> None:
        program = shutil.which("git")
        # A relative path comes from a relative PATH entry and could be a program of the repository.
        self._program = program if program and os.path.isabs(program) else None  # noqa: PTH117  # `which` returns a string
        self._root = root
        self._deadline = deadline

    def run_git(self, *arguments: str, settings: Sequence[str] = ()) -> str | None:
        """Run a git command and return its output; None if it fails, is missing, or exceeds the deadline."""
        program = self._program
        if program is None:
            return None
        options = [part for setting in (*_SAFE, *settings) for part in ("-c", setting)]
        try:
            completed = confined(
                lambda: subprocess.run(  # noqa: S603  # an absolute program and arguments of our own
                    [program, "--no-pager", *options, *arguments],
                    cwd=self._root,
                    env=environment(**_VARIABLES),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    timeout=max(0.0, self._deadline - time.monotonic()),
                    check=True,
                )
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
        return completed.stdout.decode("utf-8", "replace").strip()


def _dirty(git: _Git) -> bool | None:
    """Return True if `git status` lists something below the folder; None if it cannot be run safely."""
    # git status runs the clean filters of the repository's own configuration, so those are disabled by name.
    listed = git.run_git("config", "--list", "--show-scope", "--name-only", "--includes", "-z")
    filters = _own_filters(listed or "")
    if listed is None or any("=" in key for key in filters):
        return None
    switched_off = [f"{key}=" for key in filters] + [f"{key.rpartition('.')[0]}.required=false" for key in filters]
    changes = git.run_git(
        "status",
        "--porcelain",
        "--untracked-files=normal",
        "--ignore-submodules=all",
        "--",
        ".",
        settings=switched_off,
    )
    return None if changes is None else bool(changes)


def _own_filters(listed: str) -> list[str]:
    """Return the keys of the repository's own filter commands, from `scope NUL key NUL` pairs."""
    words = listed.split("\0")
    keys = [key for scope, key in zip(words[::2], words[1::2], strict=False) if scope in {"local", "worktree"}]
    return [key for key in keys if key.startswith("filter.") and key.endswith(_FILTER_COMMANDS)]


def _has_git_folder(root: Path) -> bool:
    """Return True if the folder or a parent has a `.git` entry, for when git itself cannot tell."""
    return any(os.path.lexists(folder / ".git") for folder in (root, *root.parents))
