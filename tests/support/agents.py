"""The engines that ask a model, over a document on disk, with a scripted model behind a real API."""

import contextlib
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pincite.agents.base import Engine
from pincite.agents.claude.desk import BUILD, READ, SEARCH, VALIDATE
from pincite.app import App
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.extraction.extraction import Extraction, extract
from pincite.services.extraction.schemas import read_schema
from pincite.settings import load
from support.extraction import SHEET
from support.scripted_model import Step, Text, ToolUse

SCHEMA: Mapping[str, Any] = {
    "original_file": "string",
    "general": {"weight": "number with unit", "supplier": "string"},
    "certificates": ["string"],
    "nominal_ac_power_per_model": "number with unit",
}
NEIGHBOUR = "# Neighbour\n\nThe neighbour's password is swordfish and its weight is 99 kg, never to be told.\n"
KEY = "a-secret-key-of-this-test"
ENGINES = {"sdk": "claude", "api": "claude", "chat": "openai"}
"""The engine that each runner is of."""


def tool(name: str, results: Sequence[str] = (), **arguments: Any) -> ToolUse:
    """A call of a tool, with the index id that the first result had."""
    named = {} if name in {BUILD, VALIDATE} else {"index_id": json.loads(results[0])["index_id"]}
    return ToolUse(name, {**named, **arguments})


def answer(data: Any, evidence: Any) -> Text:
    return Text(json.dumps({"data": data, "evidence": evidence}))


DATA = {
    "general": {"weight": "25 kg", "supplier": None},
    "certificates": ["IEC 62109", "VDE 4105"],
    "nominal_ac_power_per_model": {"SS-5K": "5 kW", "SS-8K": "8 kW"},
}


def place(results: Sequence[str], quote: str) -> dict[str, str]:
    """The evidence for words that a search has found: their locator and they themselves."""
    for text in results:
        found: Any = json.loads(text)
        hits = cast("list[dict[str, str]]", found if isinstance(found, list) else [])
        for hit in hits:
            if quote in hit["snippet"]:
                return {"locator": hit["locator"], "snippet": quote}
    raise AssertionError(f"{quote!r} in no hit of {results}")


def right(results: Sequence[str]) -> Text:
    """The right answer, from what was searched."""
    row = place(results, "Nominal AC power | 5 kW | 8 kW")
    listed = place(results, "Certificates: IEC 62109, EN 50549, VDE 4105")
    evidence = {
        "general": {"weight": place(results, "Weight: 25 kg"), "supplier": None},
        "certificates": [listed, listed],
        "nominal_ac_power_per_model": {"SS-5K": row, "SS-8K": row},
    }
    return answer(DATA, evidence)


DILIGENT: tuple[Step, ...] = (
    lambda _: tool(BUILD, file_path="document.md"),
    lambda r: tool(SEARCH, r, query="weight"),
    lambda r: tool(SEARCH, r, query="certificates"),
    lambda r: tool(SEARCH, r, query="nominal AC power", scope="tables"),
    lambda r: tool(READ, r, locator=place(r, "Weight: 25 kg")["locator"]),
    lambda _: tool(VALIDATE, data=DATA, schema=dict(SCHEMA)),
)
"""Works by the protocol, up to its answer."""


@dataclass(frozen=True)
class Bench:
    """An application with a document, and another one beside it.

    Attributes:
        app: The application.
        file: The document.
        document: As read.
    """

    app: App
    file: Path
    document: Document

    def engine(self, url: str, runner: str, **variables: str) -> Engine:
        """The engine with a model at this address."""
        maker = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url, "PINCITE_AGENT_RUNNER": runner}
        chat = {"PINCITE_AGENT_API_KEY": KEY, "PINCITE_AGENT_BASE_URL": f"{url}/v1", "AGENT_MODEL": "scripted"}
        given = {**(chat if runner == "chat" else maker), "AGENT_MAX_RETRIES": "0", **variables}
        loaded = load(given)
        kept = self.app.settings.extraction
        taken = ("timeout", "max_retries", "tools_url")
        limits = {name: getattr(loaded.extraction, name) for name in taken}
        update = {"agent": loaded.agent, "extraction": kept.model_copy(update=limits)}
        self.app.settings = self.app.settings.model_copy(update=update)
        return self.app.engine(ENGINES[runner], self.file)

    def extract(self, engine: Engine, call: Call | None = None) -> Extraction:
        """The schema's values from the document."""
        return extract(self.document, read_schema(SCHEMA), engine, call or Call(), file_name="my sheet.md")


@contextlib.contextmanager
def bench(folder: Path, markdown: str = SHEET) -> Generator[Bench]:
    """A document and a neighbour in one data folder, as uploads are."""
    uploads = folder / "uploads"
    uploads.mkdir()
    (uploads / "neighbour.md").write_text(NEIGHBOUR, encoding="utf-8")
    file = uploads / "original.md"
    file.write_text(markdown, encoding="utf-8")
    settings = load(
        {
            "DATA_DIR": str(folder),
            "PINCITE_CACHE": str(folder / "models"),
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_FRESH_BUDGET": "inf",
            "PINCITE_MODEL_GRACE": "inf",
        }
    )
    with closing(App(settings, None, toolsets=["extraction"])) as app:
        yield Bench(app, file, app.reading.read(Blob(file.name, file.read_bytes()), Call()))
