"""What git says of the folder's repository; never more than reading, never code from the repository."""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SAFE = (
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    f"core.hooksPath={os.devnull}",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_FILTER_COMMANDS = (".clean", ".smudge", ".process")


@dataclass(frozen=True, slots=True)
class GitFacts:
    """The state of a repository; None where git cannot say.

    Attributes:
        head_commit: Short hash of HEAD.
        origin_main: Short hash of `origin/main` as it was last fetched.
        dirty: Whether the folder (not the rest of the repository) differs from HEAD, new files
            that are not ignored included.
    """

    head_commit: str | None = None
    origin_main: str | None = None
    dirty: bool | None = None


def facts(root: Path, timeout: float) -> GitFacts | None:
    """Ask git about the repository that this folder belongs to. Never fails, never uses the network.

    Args:
        root: The folder.
        timeout: Seconds for all questions together; what is not answered by then is None.

    Returns:
        None outside a repository.
    """
    git = _Git(root, time.monotonic() + timeout)
    if git.ask("rev-parse", "--git-dir") is None:
        return GitFacts() if _marked(root) else None
    return GitFacts(
        head_commit=git.ask("rev-parse", "--short", "--verify", "--quiet", "HEAD^{commit}") or None,
        origin_main=git.ask("rev-parse", "--short", "--verify", "--quiet", "refs/remotes/origin/main^{commit}") or None,
        dirty=_dirty(git),
    )


class _Git:
    """The git program in one folder, with all that could run or reach something switched off."""

    def __init__(self, root: Path, deadline: float) -> None:
        found = shutil.which("git")
        # A relative hit comes from a relative PATH entry: it could be a program of the repository.
        self._program = found if found and os.path.isabs(found) else None  # noqa: PTH117  # of a string as which gave it
        self._root = root
        self._deadline = deadline

    def ask(self, *arguments: str, settings: Sequence[str] = ()) -> str | None:
        """What git prints; None if it fails, is missing, or time is over."""
        if self._program is None:
            return None
        options = [part for setting in (*_SAFE, *settings) for part in ("-c", setting)]
        try:
            done = subprocess.run(  # noqa: S603  # an absolute program and arguments of our own
                [self._program, "--no-pager", *options, *arguments],
                cwd=self._root,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=max(0.0, self._deadline - time.monotonic()),
                check=True,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
        return done.stdout.decode("utf-8", "replace").strip()


def _dirty(git: _Git) -> bool | None:
    """Whether `git status` lists something below the folder."""
    # git status runs the clean filters that the repository's own configuration names.
    listed = git.ask("config", "--list", "--show-scope", "--name-only", "--includes", "-z")
    filters = _own_filters(listed or "")
    if listed is None or any("=" in key for key in filters):
        return None
    switched_off = [f"{key}=" for key in filters] + [f"{key.rpartition('.')[0]}.required=false" for key in filters]
    changes = git.ask(
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
    """The filter commands that the repository itself configures, of `scope NUL key NUL` pairs."""
    words = listed.split("\0")
    keys = [key for scope, key in zip(words[::2], words[1::2], strict=False) if scope in {"local", "worktree"}]
    return [key for key in keys if key.startswith("filter.") and key.endswith(_FILTER_COMMANDS)]


def _marked(root: Path) -> bool:
    """Whether the folder looks like a part of a repository, though git cannot tell."""
    return any(os.path.lexists(folder / ".git") for folder in (root, *root.parents))


def _environment() -> dict[str, str]:
    """The environment without what would steer git."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "LC_ALL": "C",
    }
