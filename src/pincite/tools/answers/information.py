"""What the documents face says of itself, as resources (contract 4)."""

from collections.abc import Iterable

from pincite.chunking.profiles import UNKNOWN, document_type
from pincite.registry import FORMATS
from pincite.toolkit import Tool

FORMATS_URI, TOOLS_URI = "rag://supported-formats", "rag://tool-descriptions"


def supported_formats() -> str:
    """Return the formats that are read, as a Markdown table."""
    rows = ["| document type | extensions | needs |", "|---|---|---|"]
    for row in FORMATS:
        named = document_type(row.media_types[0])
        needs = f"`pip install 'pincite[{row.extra}]'`" if row.extra else ""
        rows.append(f"| {named if named != UNKNOWN else row.name} | {' '.join(row.extensions)} | {needs} |")
    return "\n".join(["# Supported formats", "", *rows, "", "Every other text is read as plain text.", ""])


def tool_descriptions(tools: Iterable[Tool]) -> str:
    """Return what the tools of the documents face do, as Markdown."""
    parts = ["# Tools"]
    for tool in tools:
        if tool.toolset == "documents":
            arguments = ", ".join(tool.input_schema.get("properties", {}))
            parts += ["", f"## {tool.name}", "", f"{tool.description} Arguments: {arguments or 'none'}."]
    return "\n".join([*parts, ""])
