"""A module with logic has a test file that is found by its name: `tests/unit` mirrors `src/pincite`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "pincite"

ELSEWHERE = {
    "app/caches.py": "unit/services/documents/test_caches.py",
    "app/documents.py": "unit/services/documents/test_retrieval_models.py",
    "app/extraction.py": "contracts/test_agent_runner.py",
    "app/mirrors.py": "contracts/test_mirror.py",
    "app/readers.py": "unit/app/test_application.py",
    "app/tasks.py": "unit/transports/cli/commands/test_worker.py",
    "agents/anthropic_api.py": "contracts/test_agent_runner.py",
    "agents/claude_sdk.py": "contracts/test_agent_runner.py",
    "agents/claude/conversation.py": "unit/agents/claude/test_engine.py",
    "services/conversion/service.py": "unit/transports/http/test_converter.py",
    "app/conversion.py": "unit/transports/http/test_converter.py",
    "transports/cli/commands/converter.py": "e2e/test_three_services.py",
    "services/extraction/tool_server.py": "contracts/test_tool_server.py",
    "services/extraction/desks.py": "contracts/test_agent_runner.py",
    "agents/rules/options.py": "unit/agents/rules/test_engine.py",
    "agents/rules/per_model.py": "unit/agents/rules/test_engine.py",
    "agents/rules/typing.py": "unit/agents/rules/test_engine.py",
    "chunking/tagging/entries.py": "unit/chunking/tagging/test_statements.py",
    **{
        f"formats/doc/{module}.py": "unit/formats/doc/test_reader.py"
        for module in ("assemble", "lists", "markup", "story", "styles")
    },
    **{
        f"formats/rtf/{module}.py": "unit/formats/rtf/test_reader.py"
        for module in ("header", "parser", "state", "story")
    },
    **{
        f"formats/email/{module}.py": "unit/formats/email/test_reader.py"
        for module in ("attachments", "bodies", "mailbox", "mapi", "mime", "mime_message", "outlook", "pictures")
    },
    "formats/ppt/package.py": "unit/formats/ppt/test_reader.py",
    "formats/ocr/rapid.py": "contracts/test_recogniser.py",
    "formats/ocr/tesseract.py": "contracts/test_recogniser.py",
    "formats/pdf/tables/bands.py": "unit/formats/pdf/tables/test_partly_ruled.py",
    "embedding/fastembed.py": "contracts/test_embedder.py",
    "tools/answers/editions.py": "unit/transports/cli/commands/test_compare.py",
    "tools/answers/bounded.py": "unit/tools/test_knowledge.py",
    "tools/answers/pages.py": "unit/tools/test_docs.py",
    "tools/answers/status.py": "unit/tools/test_docs.py",
    "tools/answers/passages.py": "unit/tools/test_knowledge.py",
    "ranking/cross_encoder.py": "unit/services/documents/test_retrieval_models.py",
    "evidence/search.py": "unit/evidence/test_quotes.py",
    "index/updating/missing.py": "unit/tools/test_citations.py",
    "services/library/chunk_records.py": "unit/transports/cli/commands/test_ingest.py",
    "services/library/glossaries.py": "unit/tools/test_knowledge.py",
    "store/snapshot.py": "contracts/test_store.py",
    **{
        f"store/postgres/{module}.py": "contracts/test_store.py"
        for module in ("lease", "shared", "snapshot", "store", "writing")
    },
    "store/postgres/transfer.py": "unit/store/test_transfer.py",
    "store/sqlite/lease.py": "unit/store/test_lease.py",
    "store/sqlite/transfer.py": "unit/store/test_transfer.py",
    "app/migration.py": "e2e/test_migration.py",
    "transports/cli/printing/passages.py": "unit/transports/cli/commands/test_search.py",
    "transports/cli/printing/findings.py": "unit/transports/cli/commands/test_check.py",
    "transports/cli/opening/applications.py": "unit/transports/cli/commands/test_search.py",
    "store/mirrors/base.py": "contracts/test_mirror.py",
    "store/mirrors/records.py": "contracts/test_mirror.py",
    "store/mirrors/qdrant.py": "contracts/test_mirror.py",
    "store/mirrors/qdrant_client.py": "unit/tools/test_mirrored_library.py",
    "store/mirrors/chroma.py": "contracts/test_mirror.py",
    "index/mirrors/mirroring.py": "contracts/test_mirror.py",
    "index/mirrors/rebuilding.py": "contracts/test_mirror.py",
    "index/status.py": "behaviour/test_docs.py",
    "tools/base.py": "unit/app/test_application.py",
    "tools/arguments/knowledge.py": "unit/tools/test_knowledge.py",
    "tools/answers/cited.py": "unit/tools/test_knowledge.py",
    "services/documents/locations.py": "unit/services/documents/test_links.py",
    "store/forward.py": "property/test_store.py",
    "tools/answers/docs.py": "unit/tools/test_docs.py",
    "tools/answers/opened.py": "unit/tools/test_documents.py",
    "services/documents/paging.py": "unit/tools/test_documents.py",
    "transports/http/app.py": "unit/transports/http/guarding/test_guard.py",
    "transports/http/exchange.py": "unit/transports/http/guarding/test_guard.py",
    "transports/http/receiving/uploads.py": "unit/transports/http/rest/test_tasks.py",
    "services/extraction/indexes.py": "unit/tools/test_extraction.py",
    "services/tasks/service.py": "unit/transports/http/rest/test_tasks.py",
    "services/tasks/postgres/database.py": "unit/services/tasks/postgres/test_queue.py",
    "transports/served.py": "unit/transports/mcp/test_server.py",
    "transports/mcp/resources.py": "e2e/test_resources.py",
}
"""Modules that are tested through what is built on them, and where."""


def has_logic(module: Path) -> bool:
    """Whether it has a function that does something: those of protocols and of nouns with one expression do not."""
    return any(
        len(function.body) > 1 + (ast.get_docstring(function) is not None)
        for function in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
    )


def modules() -> Iterator[str]:
    for module in sorted(SOURCE.rglob("*.py")):
        if not module.name.startswith("__") and has_logic(module):
            yield module.relative_to(SOURCE).as_posix()


@pytest.mark.parametrize("module", [*modules()])
def test_a_module_with_logic_has_a_test_of_its_name(module: str) -> None:
    test = ROOT / "tests" / "unit" / Path(module).with_name(f"test_{Path(module).name}")
    assert test.is_file() != (module in ELSEWHERE)
    assert test.is_file() or (ROOT / "tests" / ELSEWHERE[module]).is_file()
