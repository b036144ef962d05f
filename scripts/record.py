"""The console blocks of the pages, typed as a reader would: `make record` writes what they print into the pages.

`tests/drift/test_documentation.py` runs the same commands and compares. A command without output below it is only run;
write `?` below it to have its output recorded. A line `…` stands for any lines.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite import settings

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide"
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "
ELLIPSIS = "…"
UNKNOWN = "?"

SETTING_UP = ("make ", "pip ", "uvx ")
"""Commands that install something: `tests/e2e/test_first_steps.py` runs them in a new copy of the project."""

DEMO = "make demo"

REVISION = re.compile(r"(?P<document>[^\s'\"@]+)@(?P<revision>[0-9a-f]{8})(?=#)")
VARYING = (
    (REVISION, r"\g<document>@REVISION"),
    (re.compile(r"\brevision [0-9a-f]{8}\b"), "revision REVISION"),
    (re.compile(r"(?<=[0-9])~[0-9a-z]{11}\b"), "~MARK"),
    (re.compile(r"score 0\.\d\d"), "score 0.NN"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r"\d+\.\d MB"), "N MB"),
)
"""What differs between two runs or two machines, and what it is compared as."""


@dataclass(frozen=True)
class Command:
    """A line of a page that begins with `$`, and the lines that the page shows below it."""

    text: str
    shown: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether the page shows that it fails."""
        return any(line.startswith("error: ") for line in self.shown)

    @property
    def sets_up(self) -> bool:
        """Whether it installs something."""
        return self.text.startswith(SETTING_UP) and self.text != DEMO


def blocks(text: str, language: str = "") -> Iterator[re.Match[str]]:
    """Yield the fenced blocks of a page, of one language or of all."""
    for block in FENCE.finditer(text):
        if language in ("", (block["info"].split() or [""])[0]):
            yield block


def commands(body: str) -> list[Command]:
    """Return the commands of a block."""
    found: list[Command] = []
    for line in body.splitlines():
        if line.startswith(PROMPT):
            found.append(Command(line.removeprefix(PROMPT), ()))
        elif found:
            found[-1] = Command(found[-1].text, (*found[-1].shown, line))
    return [Command(each.text, tuple(_stripped(each.shown))) for each in found]


def matches(shown: tuple[str, ...], printed: str) -> bool:
    """Return True if a page shows what was printed, apart from what varies."""
    lines = [r"(?:.*\n)*?" if line == ELLIPSIS else re.escape(line.rstrip()) + "\n" for line in map(_steady, shown)]
    told = "".join(f"{line}\n" for line in _stripped(_steady(printed).splitlines()))
    return re.fullmatch("".join(lines), told) is not None


class Workplace:
    """A folder in which `docs` is the user guide and every file of the page is in its place, with its own cache."""

    def __init__(self, folder: Path, shared: Path, page: str, models: Path | None) -> None:
        """Lay it out.

        Args:
            folder: Where the commands run.
            shared: Where the guide and the cache are, for all pages.
            page: The page, whose blocks marked `file=NAME` are written.
            models: Folder with the embedding model; without it vectors are hashes, and output cannot be compared.
        """
        self.folder = folder
        self._docs = shared / "docs"
        if not self._docs.exists():
            shutil.copytree(GUIDE, self._docs)
            (shared / "cache").mkdir()
            if models is not None:
                (shared / "cache" / "models").symlink_to(models)
        # As in a checkout, where the page names the guide there.
        docs = folder / (GUIDE.relative_to(ROOT) if f"--docs {GUIDE.relative_to(ROOT)}" in page else "docs")
        docs.parent.mkdir(exist_ok=True)
        docs.symlink_to(self._docs)
        for block in blocks(page):
            name = re.search(r" file=(\S+)", block["info"])
            if name:
                file = folder / name[1]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block["body"], encoding="utf-8")
        self.environment: Mapping[str, str] = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PINCITE_", "LOG_"))},
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / ".config"),
            "PINCITE_CACHE": str(shared / "cache"),
            "PINCITE_FETCH_MODEL": "false",
            "EMBEDDING_PROVIDER": "local" if models else "hash",
        }
        self._revisions: dict[str, str] = {}

    def run(self, command: str) -> tuple[int, str]:
        """Run a command in a shell; return its exit code and what it printed, with the paths of a reader."""
        is_demo = command == DEMO  # without what make installs first
        ran = subprocess.run(
            [sys.executable, ROOT / "scripts" / "demo.py"] if is_demo else ["bash", "-c", self.current(command)],
            cwd=ROOT if is_demo else self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._revisions |= {found["document"]: found["revision"] for found in REVISION.finditer(ran.stdout)}
        printed = ran.stdout
        for path, name in (
            (sys.executable, "/home/you/pincite/.venv/bin/python"),
            (str(self._docs), "/home/you/project/docs"),
            (str(self.folder), "/home/you/project"),
            (str(ROOT), "/home/you/pincite"),
        ):
            printed = printed.replace(path, name)
        return ran.returncode, printed

    def current(self, command: str) -> str:
        """Return the command with the present revisions of the documents that it cites."""
        return REVISION.sub(
            lambda cited: f"{cited['document']}@{self._revisions.get(cited['document'], cited['revision'])}", command
        )


def recorded(page: str, workplace: Workplace) -> str:
    """Return the page with what its commands print now."""

    def block(found: re.Match[str]) -> str:
        if found["info"] != "console":
            return found[0]
        lines: list[str] = []
        for command in commands(found["body"]):
            if command.sets_up:
                lines += [PROMPT + command.text, *command.shown]
                continue
            text = workplace.current(command.text)
            code, printed = workplace.run(command.text)
            if code and not command.fails and command.shown != (UNKNOWN,):
                raise SystemExit(f"{command.text} failed:\n{printed}")
            kept = not command.shown or matches(command.shown, printed)
            lines += [PROMPT + text, *(command.shown if kept else _stripped(printed.splitlines()))]
        return "\n".join(["```console", *lines, "```"])

    return FENCE.sub(block, page)


def models() -> Path | None:
    """Return the folder of the embedding model on this machine; None without one."""
    folder = settings.load().storage.cache / "models"
    return folder if (folder / "model.safetensors").is_file() else None


def _steady(text: str) -> str:
    for pattern, name in VARYING:
        text = pattern.sub(name, text)
    return text


def _stripped(lines: list[str] | tuple[str, ...]) -> list[str]:
    """Return the lines without white space at their ends and without empty ones at both ends."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").split("\n") if any(lines) else []


def main() -> None:
    """Record every page."""
    found = models()
    if found is None:
        raise SystemExit("The embedding model is not here; without it other passages are found: pincite models fetch")
    with TemporaryDirectory() as scratch:
        for number, page in enumerate(PAGES):
            text = page.read_text(encoding="utf-8")
            folder = Path(scratch, str(number))
            folder.mkdir()
            page.write_text(recorded(text, Workplace(folder, Path(scratch), text, found)), encoding="utf-8")


if __name__ == "__main__":
    main()
