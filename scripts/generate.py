"""The files that are made from the code, so that they cannot say anything else: `make generate` writes them.

`tests/drift/test_generated.py` fails while one of them differs.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from pydantic.fields import FieldInfo
from typer.testing import CliRunner

from pincite.app import App
from pincite.registry import FORMATS, TOOLSETS, load
from pincite.settings import SECTIONS, Section, prefixed, variable
from pincite.settings import load as load_settings
from pincite.toolkit import tools_of
from pincite.transports.cli.program import COMMANDS, build

ROOT = Path(__file__).resolve().parents[1]
MADE = "Made from the code by `make generate`: do not edit."
PAGES = (*COMMANDS, *(f"models {name}" for name in ("list", "fetch", "verify")))
"""Commands with a help of their own."""


GROUPS: Mapping[str, tuple[str, ...]] = {
    "Choose what is indexed": ("limits", "readers", "ocr"),
    "Choose where it is kept": ("storage",),
    "Find more, or in another language": ("embedding", "searching", "retrieval"),
    "Choose how fresh answers are": ("freshness",),
    "Keep a library": ("knowledge", "vectors"),
    "Read documents at URLs": ("downloads", "caches"),
    "Fill your own JSON": ("extraction", "agent"),
    "Serve over HTTP": ("http",),
    "See what happens": ("logging",),
}
"""Sections by what one wants."""

FIRST: Mapping[str, tuple[str, ...]] = {
    "let other machines call": ("PINCITE_HOST", "PINCITE_MCP_API_KEY", "PINCITE_ALLOWED_HOSTS"),
    "let clients call more often": ("PINCITE_MCP_RATE_LIMIT_RPM",),
    "index larger files or folders": ("PINCITE_MAX_FILE", "PINCITE_MAX_FILES"),
    "read scans": ("PINCITE_OCR", "PINCITE_OCR_LANGUAGES"),
    "find by meaning in another language": ("PINCITE_EMBEDDING_MODEL",),
    "embed a library with a service": ("PINCITE_EMBEDDING_MODEL", "PINCITE_OPENAI_API_KEY", "PINCITE_OPENAI_BASE_URL"),
    "work without network": ("PINCITE_FETCH_MODEL", "PINCITE_MODEL_DIR"),
    "keep indexes and libraries elsewhere": ("PINCITE_CACHE", "PINCITE_DATA_DIR"),
    "share one index among machines": ("PINCITE_STORE_URL",),
    "search a library with Qdrant or ChromaDB": ("PINCITE_VECTOR_STORE", "PINCITE_QDRANT_URL"),
    "let a model extract": ("PINCITE_AGENT_MODEL", "PINCITE_ANTHROPIC_API_KEY", "PINCITE_AGENT_BASE_URL"),
    "read documents of an intranet": ("PINCITE_DOWNLOAD_ALLOW_PRIVATE",),
    "let tools read local files": ("PINCITE_ALLOWED_ROOTS",),
    "wait for complete answers": ("PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE", "PINCITE_MCP_REQUEST_TIMEOUT"),
    "see what happens": ("PINCITE_LOG_LEVEL", "PINCITE_METRICS"),
}
"""The settings to begin with, by what one wants."""


def env_example() -> str:
    """Every setting with its default, commented out."""
    lines = [
        f"# {MADE}",
        "# Every setting of pincite, with its default. Copy this file to .env and uncomment what you change.",
        "# `pincite serve` over stdio reads no .env unless --env-file names one; `pincite doctor` says which is read.",
    ]
    for group, names in GROUPS.items():
        for section in (SECTIONS[name] for name in names):
            lines += ["", f"# --- {group}: {_sentence(section)}"]
            for name, field in section.model_fields.items():
                own = variable(section, name)
                also = "" if own == prefixed(own) else f" (Also: {own})"
                lines += ["", f"# {field.description}{also}", f"# {prefixed(own)}={default(field)}"]
    return "\n".join([*lines, ""])


def settings_page() -> str:
    """The settings as a page of the guide."""
    lines = [
        "# Settings",
        "",
        f"<!-- {MADE} -->",
        "",
        "Set an environment variable, or write it into a `.env` file:",
        "",
        "```sh",
        "PINCITE_MAX_FILE=20/200",
        "```",
        "",
        "Every setting has a name that begins with `PINCITE_`. Those that are known by a shorter name keep that, too:",
        "`PINCITE_DATA_DIR` is `DATA_DIR`, as these pages and messages call it. `pincite doctor` lists which of the",
        "short names are set: other programs may read them, too.",
        "",
        "| you want to | set |",
        "|---|---|",
        *(f"| {wish} | {', '.join(f'`{name}`' for name in names)} |" for wish, names in FIRST.items()),
        "",
        "A command-line flag overrides an environment variable, which overrides a `.env` file, which overrides the",
        "default. `pincite doctor` says which `.env` file is read: the nearest one from the working directory up to",
        "the repository's root, but never one inside the folder that is searched or served. Over stdio, `pincite serve",
        "FOLDER` reads one only with `--env-file`, because it runs inside folders that nobody vouches for.",
        "",
        "All invalid settings are reported at once, each with what is expected. A variable that begins with `PINCITE_`",
        "but is not a setting only causes a warning, which names the nearest setting, so that a configuration for a",
        "newer version does not stop an older one.",
        "",
        "At a shell and [from Python](python.md) a call waits as long as it takes and answers in one piece: there",
        "`PINCITE_FRESH_BUDGET`, `PINCITE_MODEL_GRACE` and `MCP_REQUEST_TIMEOUT` are `inf`, and",
        "`PINCITE_ANSWER_TOKENS` is 0, unless you set them.",
    ]
    for group, names in GROUPS.items():
        lines += ["", f"## {group}"]
        for section in (SECTIONS[name] for name in names):
            lines += ["", f"{_sentence(section)}:", "", "| variable | default | for |", "|---|---|---|"]
            for name, field in section.model_fields.items():
                own, shown = variable(section, name), f"`{default(field)}`" if default(field) else "unset"
                also = "" if own == prefixed(own) else f" Also `{own}`."
                lines.append(f"| `{prefixed(own)}` | {shown} | {field.description}{also} |")
    return "\n".join([*lines, ""])


def formats_page() -> str:
    """The formats that can be read."""
    lines = [
        "# Formats",
        "",
        f"<!-- {MADE} -->",
        "",
        "pincite can read and index these formats: it finds a file by its name and checks its content. It skips every",
        "other file of a folder. See [what is kept of a file](what-is-indexed.md#what-is-kept-of-a-file).",
        "",
        "| format | file names end in | media types | size limit | needs |",
        "|---|---|---|---|---|",
    ]
    for row in FORMATS:
        ends, kinds = (" ".join(f"`{value}`" for value in values) for values in (row.extensions, row.media_types))
        needs = f"`pincite[{row.extra}]`" if row.extra else ""
        lines.append(f"| {row.name} | {ends} | {kinds} | {'text' if row.text else 'other'} | {needs} |")
    lines += ["", "`PINCITE_MAX_FILE` ([settings](settings.md)) sets both size limits, text/other."]
    return "\n".join([*lines, ""])


def command_line_page() -> str:
    """The help of every command."""
    lines = [
        "# Command line",
        "",
        f"<!-- {MADE} -->",
        "",
        "Results go to standard output; notes, progress and errors go to standard error. `--json` prints the result as",
        "one JSON object for scripts. Colours and progress bars appear on a terminal only, not if `NO_COLOR` is set.",
        "",
        "Exit codes (the exit status of a command): 0 success, 1 partial success, 2 nothing processed, 3 configuration",
        "error, 130 interrupted (a server by Ctrl-C, too; SIGTERM ends it with 0). A server prints the object of",
        "`--json` on one line once it listens; over stdio, where standard output is the client's, on standard error.",
        "",
        "`pincite --install-completion` lets your shell (bash, zsh, fish, PowerShell) complete commands and options;",
        "`pincite --show-completion` prints the script, to copy it.",
    ]
    for command in PAGES:
        lines += ["", f"## pincite {command}", "", "```text", help_of(command).strip(), "```"]
    return "\n".join([*lines, ""])


def tools_page() -> str:
    """The tools that an agent sees."""
    lines = [
        "# Tools",
        "",
        f"<!-- {MADE} -->",
        "",
        "These tools are what an agent sees over MCP. All are read-only. An argument that is null is ignored, an",
        "unknown one is refused with the nearest name, and an error says what to do next. Every answer carries",
        "`index`, the state of the index that it was taken from: see",
        "[citations and freshness](../guide/citations-and-freshness.md).",
    ]
    parts = App(load_settings(), None, toolsets=["citations"]).parts
    for tool in (tool for row in TOOLSETS for tool in tools_of(load(row)(parts))):
        lines += ["", f"## {tool.name}", "", tool.description, ""]
        arguments: Mapping[str, Mapping[str, object]] = tool.input_schema["properties"]
        if arguments:
            lines += ["| argument | type | default | for |", "|---|---|---|---|"]
        required = cast("list[str]", tool.input_schema.get("required", []))
        for name, schema in arguments.items():
            standard = "required" if name in required else f"`{json.dumps(schema.get('default'))}`"
            lines.append(f"| `{name}` | {_type(schema)} | {standard} | {schema.get('description', '')} |")
        fields = cast("Mapping[str, object]", tool.output_schema["properties"])
        lines += ["" if arguments else "No arguments.\n", f"Returns {', '.join(f'`{name}`' for name in fields)}."]
    return "\n".join([*lines, ""])


def decisions_page() -> str:
    """The list of decisions, by the titles of their records."""
    lines = [
        "# Decisions",
        "",
        f"<!-- {MADE} -->",
        "",
        "What to know before changing something: the context, the decision, what was measured, and when to reconsider,",
        "in at most 300 words. A superseded record is deleted; git remembers it. What the PDF reader takes for a",
        "table, a heading or a column is documented beside its code.",
        "",
    ]
    for record in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")):
        number, _, title = record.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").partition(": ")
        lines.append(f"- [{number}]({record.name}): {title}")
    return "\n".join([*lines, ""])


def help_of(command: str) -> str:
    """What `--help` prints, 100 columns wide."""
    shown = CliRunner().invoke(
        build(), [*command.split(), "--help"], prog_name="pincite", env={"COLUMNS": "100", "TERMINAL_WIDTH": "100"}
    )
    return "\n".join(line.rstrip() for line in shown.output.splitlines())


def default(field: FieldInfo) -> str:
    """A default, written as the variable would be; empty where there is none."""
    value: object = field.default
    if field.default_factory is not None or value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        parts = cast("tuple[float | str, ...]", value)
        return "/".join(part if isinstance(part, str) else f"{part:g}" for part in parts)
    return f"{value:g}" if isinstance(value, float) else str(value)


MADE_FROM_CODE: Mapping[str, Callable[[], str]] = {
    ".env.example": env_example,
    "docs/guide/settings.md": settings_page,
    "docs/reference/tools.md": tools_page,
    "docs/guide/formats.md": formats_page,
    "docs/guide/command-line.md": command_line_page,
    "docs/decisions/README.md": decisions_page,
}


def _type(schema: Mapping[str, object]) -> str:
    values = cast("list[str]", schema.get("enum", []))
    return " or ".join(f"`{value}`" for value in values) or str(schema.get("type", ""))


def _sentence(section: type[Section]) -> str:
    return (section.__doc__ or "").strip().splitlines()[0].removesuffix(".")


def main() -> None:
    """Write every file."""
    for name, make in MADE_FROM_CODE.items():
        (ROOT / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
