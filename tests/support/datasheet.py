"""The reference case of contract 3: a hybrid inverter's datasheet, its schema, and what a result must keep."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from support.scripted_model import Said, Step, Text, ToolUse

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
SHEET = FIXTURES / "datasheet.pdf"
SCHEMA = FIXTURES / "datasheet_schema.json"
EXPECTED: dict[str, Any] = json.loads((FIXTURES / "datasheet_expected.json").read_text(encoding="utf-8"))
SECONDS = 300
"""Maximum time of the case (contract 3)."""

EMPTY: tuple[Any, ...] = (None, [])


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        for key, child in cast("Mapping[str, Any]", tree).items():
            yield from leaves(child, f"{path}.{key}".strip("."))
    else:
        yield path, tree


def at(tree: Any, path: str) -> Any:
    for key in path.split("."):
        tree = tree[key]
    return tree


def by_the_client(url: str) -> dict[str, Any]:
    """The result that `scripts/client.sh` prints: it reaches any server."""
    command = ["sh", str(ROOT / "scripts" / "client.sh"), url, str(SHEET), str(SCHEMA)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(result: Mapping[str, Any]) -> str:
    """Check a result of the case by whichever engine, and return how many leaves it has found."""
    data, evidence = result["data"], result["evidence"]
    assert list(data) == list(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert data["original_file"] == SHEET.name
    for path in (
        "product_identity.series_name",
        "product_identity.models",
        "pv_dc_input.max_dc_voltage",
        "pv_dc_input.number_of_mppts",
        "pv_dc_input.max_recommended_pv_power_per_model",
        "ac_grid_output.grid_type",
        "ac_grid_output.thd",
        "environment_and_installation.protection_class",
    ):
        assert at(data, path) == at(EXPECTED, path), path
    found = dict(leaves(data))
    for path, value in found.items():
        record = at(evidence, path)
        if value in EMPTY:
            assert (record["locator"], record["snippet"], record["warning"]) == (None, None, "Not found in document")
            assert f"Field '{path}' not found in document" in result["warnings"]
        else:
            assert record["verified"]
            assert record["snippet"] or path == "original_file"
    empty = sum(value in EMPTY for value in found.values())
    assert empty, "some fields are not in the document"
    return f"{result['engine']}: {len(found) - empty} found, {empty} null, {len(result['warnings'])} warnings"


def answer_of(result: Mapping[str, Any]) -> str:
    """What a model answers that has found what a result has: values, and where each is."""
    data = {key: value for key, value in result["data"].items() if key != "original_file"}
    return json.dumps({"data": data, "evidence": {key: _cited(result["evidence"][key]) for key in data}})


def _cited(tree: Any) -> Any:
    if not isinstance(tree, Mapping):
        return None
    record = cast("Mapping[str, Any]", tree)
    if "items" in record and "locator" in record:
        return [_cited(item) for item in record["items"]]
    if "locator" in record and "status" in record:
        return None if record["locator"] is None else {"locator": record["locator"], "snippet": record["snippet"]}
    return {key: _cited(child) for key, child in record.items()}


QUERIES = ("Max. DC voltage", "number of MPPTs", "grid type", "THD", "protection class", "battery voltage")
LOCATORS = ("h5-t1", "h6-t1", "h7-t1")
PREFIX = "mcp__doc-tools__"
"""What the SDK's command line puts before the names of the tools."""

TOOL_CALLS = 2 + len(QUERIES) + len(LOCATORS)


def agent(known: Mapping[str, Any], runner: str) -> list[Step]:
    """An agent that works by the protocol, and in the end answers what another engine has found.

    Args:
        known: The other engine's result; may be filled later.
        runner: `sdk` or `api`.
    """
    prefix = PREFIX if runner == "sdk" else ""

    def using(name: str, **arguments: Any) -> Step:
        def step(results: Sequence[str]) -> Said:
            # The command line adds reminders to what a tool answers.
            built = json.loads(results[0].partition("\n\n<system-reminder>")[0])
            return ToolUse(prefix + name, {"index_id": built["index_id"], **arguments})

        return step

    return [
        lambda _: ToolUse(f"{prefix}doc_index_build", {"file_path": "document.pdf"}),
        *(using("doc_search", query=query) for query in QUERIES),
        *(using("doc_read", locator=locator) for locator in LOCATORS),
        lambda _: ToolUse(f"{prefix}json_validate_and_normalize", {"schema": {"a": "string"}, "data": {"a": "b"}}),
        lambda _: Text(answer_of(known)),
    ]
