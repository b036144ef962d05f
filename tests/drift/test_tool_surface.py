"""The tool surface: a change of it is a diff that someone approved (`pytest --inline-snapshot=fix`)."""

import json
import re
from itertools import combinations, groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

import jsonschema
import pytest
from inline_snapshot import snapshot

from pincite.app import App
from pincite.registry import TOOLSETS
from pincite.settings import load
from pincite.toolkit import Tool
from pincite.transports.mcp.prompts import filled, listed
from pincite.transports.mcp.server import describe, instructions

MOST_BYTES = 6000
"""Names, descriptions and input schemas of one toolset (spec 0, section 7)."""

FILLED = {
    "answer_with_citations": {"question": "Why?"},
    "check_text": {"text": "It is so."},
    "compare_documents": {"first": "a.md", "second": "b.md"},
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> list[Tool]:
    folder = tmp_path_factory.mktemp("docs")
    app = App(load({"PINCITE_CACHE": str(folder / "cache"), "EMBEDDING_PROVIDER": "hash"}), folder, toolsets=["all"])
    return list(app.toolbox.tools)


def test_names_are_unique_and_in_a_stable_order(tools: list[Tool]) -> None:
    assert [(t.toolset, t.name) for t in tools] == snapshot(
        [
            ("docs", "search_docs"),
            ("docs", "get_page"),
            ("docs", "get_section"),
            ("docs", "list_pages"),
            ("docs", "get_status"),
            ("citations", "open_citation"),
            ("citations", "verify_quote"),
            ("knowledge", "knowledge_search"),
            ("knowledge", "knowledge_lookup"),
            ("knowledge", "knowledge_requirements"),
            ("knowledge", "knowledge_keyword_search"),
            ("knowledge", "knowledge_stats"),
            ("knowledge", "knowledge_health"),
            ("knowledge", "knowledge_compare"),
            ("extraction", "doc_index_build"),
            ("extraction", "doc_search"),
            ("extraction", "doc_read"),
            ("extraction", "json_validate_and_normalize"),
            ("documents", "process_document"),
            ("documents", "chunk_document"),
            ("documents", "retrieve_chunks"),
            ("documents", "extract_pdf_text"),
            ("documents", "extract_docx_text"),
            ("documents", "extract_pptx_text"),
            ("documents", "extract_xlsx_tables"),
            ("documents", "extract_csv_tables"),
            ("documents", "extract_image_text"),
            ("documents", "detect_language"),
            ("documents", "get_system_health"),
            ("documents", "manage_cache"),
        ]
    )


def test_input_schemas(tools: list[Tool]) -> None:
    assert {t.name: t.input_schema for t in tools} == snapshot(
        {
            "search_docs": {
                "additionalProperties": False,
                "properties": {
                    "query": {
                        "description": "A question, keywords or an identifier; quotes find a phrase word for word.",
                        "type": "string",
                    },
                    "top_k": {"default": 5, "description": "Maximum number of passages, 1 to 20.", "type": "integer"},
                    "file_filter": {
                        "type": "string",
                        "description": "Glob over the whole relative path, e.g. `guides/**/*.md`.",
                    },
                    "explain": {"default": False, "description": "Show how each score is made up.", "type": "boolean"},
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["query"],
                "type": "object",
            },
            "get_page": {
                "additionalProperties": False,
                "properties": {
                    "file_path": {"description": "Path as list_pages shows it.", "type": "string"},
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["file_path"],
                "type": "object",
            },
            "get_section": {
                "additionalProperties": False,
                "properties": {
                    "file_path": {"description": "Path as list_pages shows it.", "type": "string"},
                    "heading_path": {
                        "description": "The complete breadcrumb, e.g. `Architecture > Data Flow`.",
                        "type": "string",
                    },
                    "match": {
                        "default": "exact",
                        "description": "`suffix` also accepts a unique ending of a breadcrumb.",
                        "enum": ["exact", "suffix"],
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["file_path", "heading_path"],
                "type": "object",
            },
            "list_pages": {
                "additionalProperties": False,
                "properties": {
                    "prefix": {"type": "string", "description": "Path of a folder or of one file."},
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "type": "object",
            },
            "get_status": {"additionalProperties": False, "properties": {}, "type": "object"},
            "open_citation": {
                "additionalProperties": False,
                "properties": {
                    "ref": {"description": "A `ref` of any answer.", "type": "string"},
                    "context": {
                        "default": 0,
                        "description": "Neighbouring chunks to add on each side, 0 to 20.",
                        "type": "integer",
                    },
                    "max_tokens": {
                        "type": "integer",
                        "default": 8000,
                        "description": "Maximum tokens of the answer, up to 20000.",
                    },
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["ref"],
                "type": "object",
            },
            "verify_quote": {
                "additionalProperties": False,
                "properties": {
                    "ref": {"description": "The reference that the quote is attributed to.", "type": "string"},
                    "quote": {"description": "The words to be quoted.", "type": "string"},
                },
                "required": ["ref", "quote"],
                "type": "object",
            },
            "doc_index_build": {
                "additionalProperties": False,
                "properties": {
                    "file_path": {"description": "Path of the file.", "type": "string"},
                    "cache_key": {"type": "string", "description": "A name of yours for index_id."},
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["file_path"],
                "type": "object",
            },
            "doc_search": {
                "additionalProperties": False,
                "properties": {
                    "index_id": {"description": "index_id of doc_index_build, or its cache_key.", "type": "string"},
                    "query": {
                        "description": "Words of the field that you look for, as the document may say them.",
                        "type": "string",
                    },
                    "top_k": {"default": 5, "description": "Maximum number of passages, 1 to 50.", "type": "integer"},
                    "scope": {"default": "all", "description": "text, tables or all.", "type": "string"},
                },
                "required": ["index_id", "query"],
                "type": "object",
            },
            "doc_read": {
                "additionalProperties": False,
                "properties": {
                    "index_id": {"description": "index_id of doc_index_build, or its cache_key.", "type": "string"},
                    "locator": {
                        "description": "h3-c1 (text), h3-t1 (table), or h3 for the whole section.",
                        "type": "string",
                    },
                    "max_chars": {"default": 3000, "description": "Maximum length of content.", "type": "integer"},
                },
                "required": ["index_id", "locator"],
                "type": "object",
            },
            "json_validate_and_normalize": {
                "additionalProperties": False,
                "properties": {
                    "schema": {
                        "anyOf": [{"additionalProperties": True, "type": "object"}, {"type": "string"}],
                        "description": "A skeleton or JSON Schema, or its JSON text.",
                    },
                    "data": {"description": "The object to check, or its JSON text."},
                },
                "required": ["schema"],
                "type": "object",
            },
            "knowledge_compare": {
                "additionalProperties": False,
                "properties": {
                    "old": {
                        "description": "document_id of the old edition.",
                        "maxLength": 200,
                        "minLength": 1,
                        "type": "string",
                    },
                    "new": {
                        "description": "document_id of the new edition.",
                        "maxLength": 200,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["old", "new"],
                "type": "object",
            },
            "knowledge_search": {
                "additionalProperties": False,
                "properties": {
                    "query": {
                        "description": "A question or keywords.",
                        "maxLength": 2000,
                        "minLength": 1,
                        "type": "string",
                    },
                    "n_results": {
                        "default": 10,
                        "description": "Maximum number of passages, 1 to 100.",
                        "maximum": 100,
                        "minimum": 1,
                        "type": "integer",
                    },
                    "document_type": {
                        "anyOf": [
                            {
                                "enum": [
                                    "standard",
                                    "handbook",
                                    "guide",
                                    "specification",
                                    "report",
                                    "policy",
                                    "custom",
                                ],
                                "type": "string",
                            },
                            {
                                "items": {
                                    "enum": [
                                        "standard",
                                        "handbook",
                                        "guide",
                                        "specification",
                                        "report",
                                        "policy",
                                        "custom",
                                    ],
                                    "type": "string",
                                },
                                "minItems": 1,
                                "type": "array",
                            },
                        ],
                        "description": "Only documents of these types: one or several.",
                    },
                    "chunk_type": {
                        "anyOf": [
                            {
                                "enum": [
                                    "definition",
                                    "requirement",
                                    "recommendation",
                                    "guidance",
                                    "example",
                                    "figure",
                                    "table",
                                    "overview",
                                    "reference",
                                    "annex",
                                ],
                                "type": "string",
                            },
                            {
                                "items": {
                                    "enum": [
                                        "definition",
                                        "requirement",
                                        "recommendation",
                                        "guidance",
                                        "example",
                                        "figure",
                                        "table",
                                        "overview",
                                        "reference",
                                        "annex",
                                    ],
                                    "type": "string",
                                },
                                "minItems": 1,
                                "type": "array",
                            },
                        ],
                        "description": "Only passages of these types: one or several.",
                    },
                    "normative_only": {"default": False, "description": "Only passages that bind.", "type": "boolean"},
                    "ranking": {
                        "enum": ["best", "rrf", "semantic", "keyword"],
                        "type": "string",
                        "description": "best (default), rrf (weighted), semantic (cosine) or keyword (BM25).",
                    },
                    "use_hybrid": {
                        "default": True,
                        "description": "If false, ranking is semantic.",
                        "type": "boolean",
                    },
                    "hybrid_weight": {
                        "description": "Share of meaning in ranking rrf, 0 to 1 (0.7).",
                        "maximum": 1,
                        "minimum": 0,
                        "type": "number",
                    },
                    "document_id": {
                        "anyOf": [
                            {"minLength": 1, "type": "string"},
                            {"items": {"minLength": 1, "type": "string"}, "minItems": 1, "type": "array"},
                        ],
                        "description": "Only these documents, as knowledge_stats lists them: one or several.",
                    },
                    "clause_number": {
                        "maxLength": 100,
                        "minLength": 1,
                        "type": "string",
                        "description": "This clause and all under it, as `5.3`; `=5.3` for it alone.",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["query"],
                "type": "object",
            },
            "knowledge_lookup": {
                "additionalProperties": False,
                "properties": {
                    "term": {
                        "description": "A term or an abbreviation.",
                        "maxLength": 200,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["term"],
                "type": "object",
            },
            "knowledge_requirements": {
                "additionalProperties": False,
                "properties": {
                    "topic": {
                        "description": "What the requirements are about.",
                        "maxLength": 1000,
                        "minLength": 1,
                        "type": "string",
                    },
                    "standard": {
                        "maxLength": 100,
                        "minLength": 1,
                        "type": "string",
                        "description": "A part of a document's id or title.",
                    },
                    "n_results": {
                        "default": 10,
                        "description": "Maximum number of requirements, 1 to 50.",
                        "maximum": 50,
                        "minimum": 1,
                        "type": "integer",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["topic"],
                "type": "object",
            },
            "knowledge_keyword_search": {
                "additionalProperties": False,
                "properties": {
                    "query": {
                        "description": "Words, identifiers or numbers.",
                        "maxLength": 500,
                        "minLength": 1,
                        "type": "string",
                    },
                    "n_results": {
                        "default": 10,
                        "description": "Maximum number of passages, 1 to 100.",
                        "maximum": 100,
                        "minimum": 1,
                        "type": "integer",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["query"],
                "type": "object",
            },
            "knowledge_stats": {
                "additionalProperties": False,
                "properties": {
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "type": "object",
            },
            "knowledge_health": {"additionalProperties": False, "properties": {}, "type": "object"},
            "process_document": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "chunk_document": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "retrieve_chunks": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "query": {
                        "description": "A question or keywords.",
                        "maxLength": 100000,
                        "minLength": 1,
                        "type": "string",
                    },
                    "top_k": {"default": 5, "description": "Number of passages, 1 to 20.", "type": "integer"},
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url", "query"],
                "type": "object",
            },
            "extract_pdf_text": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "extract_docx_text": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "extract_pptx_text": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "extract_xlsx_tables": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "extract_csv_tables": {
                "additionalProperties": False,
                "properties": {
                    "document_url": {
                        "description": "http(s) URL, `upload:` id, or allowed local path of the document.",
                        "maxLength": 2048,
                        "minLength": 1,
                        "type": "string",
                    },
                    "max_tokens": {"type": "integer", "description": "Maximum tokens of the answer, up to 20000."},
                    "cursor": {"type": "string", "description": "next_cursor, to continue."},
                },
                "required": ["document_url"],
                "type": "object",
            },
            "extract_image_text": {
                "additionalProperties": False,
                "properties": {
                    "image_url": {"type": "string", "description": "As document_url, of the picture."},
                    "document_url": {"type": "string", "description": "As document_url, of the picture."},
                },
                "type": "object",
            },
            "detect_language": {
                "additionalProperties": False,
                "properties": {"text": {"description": "The text.", "maxLength": 100000, "type": "string"}},
                "required": ["text"],
                "type": "object",
            },
            "get_system_health": {"additionalProperties": False, "properties": {}, "type": "object"},
            "manage_cache": {
                "additionalProperties": False,
                "properties": {
                    "action": {"description": "stats or clear.", "enum": ["stats", "clear"], "type": "string"}
                },
                "required": ["action"],
                "type": "object",
            },
        }
    )


def test_descriptions(tools: list[Tool]) -> None:
    assert {t.name: wrap(t.description, 90) for t in tools} == snapshot(
        {
            "search_docs": [
                "Search the documentation by keyword and by meaning. Each passage carries its file, section",
                "and citation; read on with get_section or get_page.",
            ],
            "get_page": [
                "Read a whole page as raw Markdown, in chunks that join to the file. Use list_pages to find",
                "its path.",
            ],
            "get_section": [
                "Read one section whole, without its subsections. Take heading_path from search_docs or",
                "get_page.",
            ],
            "list_pages": [
                "List the pages with their titles and headings, by path; a long list begins with its",
                "folders: narrow it with prefix or max_tokens. Read one with get_page.",
            ],
            "get_status": [
                "Report what is served: pages, chunks, skipped files with reasons, freshness, embedding",
                "model, git state.",
            ],
            "open_citation": [
                "Open a reference: the text that it cites, its location, and whether the document has",
                "changed since. Check words against it with verify_quote.",
            ],
            "verify_quote": [
                "Check whether a quote is in the text that a reference cites: exact (each character),",
                "normalised (other white space, typography, or case of its first letter; any other case is",
                "absent: MUST is not must), moved (elsewhere in the document), stitched (from parts) or",
                "absent. Quote the `content` that comes back.",
            ],
            "doc_index_build": [
                "Read and index a file (PDF, Office, HTML, Markdown and others); the answer lists its",
                "headings with their locators. Search it next with doc_search.",
            ],
            "doc_search": [
                "Find passages of an indexed document by words and meaning, best first; an empty list means",
                "that it says nothing of the query. Read a promising one with doc_read.",
            ],
            "doc_read": [
                "Read what a locator of doc_search or doc_index_build names. Quote `content` as evidence,",
                "word for word.",
            ],
            "json_validate_and_normalize": [
                "Check extracted data against a schema and bring them into its shape: what is missing",
                "becomes null, with a warning. Correct the errors and check again.",
            ],
            "knowledge_compare": [
                "Compare two editions of a standard: requirements added, removed, changed and renumbered."
            ],
            "knowledge_search": [
                "Search standards and handbooks by meaning and by word, each passage with its clause, page",
                "and citation. For what binds on a topic use knowledge_requirements, for a term",
                "knowledge_lookup.",
            ],
            "knowledge_lookup": [
                "Look a term up in the glossaries and definitions of the library; similar terms if it is",
                "not defined. Use knowledge_search for text that only mentions it.",
            ],
            "knowledge_requirements": [
                "Find what is required on a topic, then what is recommended, each with its clause number",
                "and citation. Use knowledge_search for guidance and examples.",
            ],
            "knowledge_keyword_search": [
                "Search by word alone, for identifiers, numbers and names; knowledge_search also finds",
                "other wordings.",
            ],
            "knowledge_stats": ["List the documents of the library with their types, and count what it holds."],
            "knowledge_health": ["Check whether the store and the embedding model answer, and how fast."],
            "process_document": [
                "Read a document: its text, tables, pictures, links and language. For passages that answer",
                "a question, use retrieve_chunks.",
            ],
            "chunk_document": [
                "Cut a document into passages, each with its kind of content and how much it matters. For",
                "the passages that answer a question, use retrieve_chunks.",
            ],
            "retrieve_chunks": [
                "Find the passages of a document that answer a query, each with its citation. Read the",
                "whole with process_document.",
            ],
            "extract_pdf_text": ["Read the text of a PDF; every page begins with a line `--- Page N ---`."],
            "extract_docx_text": ["Read the text of a Word document as Markdown."],
            "extract_pptx_text": [
                "Read the text of a presentation, with its notes; slides have a line `---` between them."
            ],
            "extract_xlsx_tables": [
                "Read the tables of a workbook: columns and the first 20 rows of each sheet; all rows with",
                "max_tokens.",
            ],
            "extract_csv_tables": [
                "Read the table of a CSV file: its columns and first 20 rows; all rows with max_tokens."
            ],
            "extract_image_text": [
                "Recognise the text in a picture (OCR). Give its address as image_url or document_url."
            ],
            "detect_language": ["Recognise the language of a text, by its first 5,000 characters."],
            "get_system_health": ["Say what the server can do now: features, models, formats, caches."],
            "manage_cache": ["Show the statistics of the caches of downloads, documents and indexes, or empty them."],
        }
    )


def test_answers(tools: list[Tool]) -> None:
    assert {t.name: outline(dict(t.output_schema)) for t in tools} == snapshot(
        {
            "search_docs": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "results": {
                    "list of": {
                        "content": "string",
                        "score": "number",
                        "similarity": ["number", "null"],
                        "ref": "string",
                        "metadata": {
                            "collection?": ["string", "null"],
                            "file_path": "string",
                            "title": "string",
                            "heading_path": "string",
                            "heading_level": "integer",
                            "last_modified": "string",
                            "char_count": "integer",
                            "part?": [{"index": "integer", "of": "integer"}, "null"],
                            "table_header?": ["string", "null"],
                            "page_numbers?": [{"list of": "integer"}, "null"],
                            "boxes?": [
                                {
                                    "list of": {
                                        "page": "integer",
                                        "x0": "number",
                                        "y0": "number",
                                        "x1": "number",
                                        "y1": "number",
                                    }
                                },
                                "null",
                            ],
                        },
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                        "explanation?": [
                            {"meaning": "number", "words": "number", "phrase?": ["number", "null"]},
                            "null",
                        ],
                    }
                },
                "total_chunks": "integer",
                "query_ms": "number",
                "search_type": ["hybrid", "semantic", "keyword"],
                "relevance?": ["number", "null"],
                "did_you_mean?": ["string", "null"],
                "note?": ["string", "null"],
                "partial?": ["boolean", "null"],
            },
            "get_page": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "collection?": ["string", "null"],
                "file_path": "string",
                "title": "string",
                "last_modified": "string",
                "total_chars": "integer",
                "chunks": {
                    "list of": {
                        "content": "string",
                        "heading_path": "string",
                        "heading_level": "integer",
                        "char_count": "integer",
                        "ordinal": "integer",
                        "ref": "string",
                        "part?": [{"index": "integer", "of": "integer"}, "null"],
                    }
                },
                "incomplete?": ["string", "null"],
                "ocr?": ["string", "null"],
            },
            "get_section": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "content": "string",
                "ref": "string",
                "refs?": [{"list of": "string"}, "null"],
                "metadata": {
                    "collection?": ["string", "null"],
                    "file_path": "string",
                    "heading_path": "string",
                    "heading_level": "integer",
                    "last_modified": "string",
                    "char_count": "integer",
                },
                "incomplete?": ["string", "null"],
                "ocr?": ["string", "null"],
            },
            "list_pages": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "folders?": [
                    {"list of": {"collection?": ["string", "null"], "path": "string", "pages": "integer"}},
                    "null",
                ],
                "pages": {
                    "list of": {
                        "collection?": ["string", "null"],
                        "file_path": "string",
                        "title": "string",
                        "headings": {"list of": "string"},
                        "heading_paths": {"list of": "string"},
                        "headings_part?": [{"first": "integer", "of": "integer"}, "null"],
                        "chunk_count": "integer",
                        "total_chars": "integer",
                        "last_modified": "string",
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                    }
                },
                "total_pages": "integer",
            },
            "get_status": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                        "total_pages": "integer",
                        "total_chunks": "integer",
                        "last_indexed": ["string", "null"],
                        "db_path": "string",
                        "db_size_bytes": "integer",
                        "skipped": {"map to": "integer"},
                        "failed": {"map to": "integer"},
                        "failures?": [{"list of": {"file_path": "string", "reason": "string"}}, "null"],
                        "incomplete": {"map to": "integer"},
                        "rereading?": ["integer", "null"],
                        "indexing": [{"done": "integer", "total": "integer"}, "null"],
                        "freshness": {"method": ["inotify", "scan"], "reason": "string"},
                        "warnings": {"list of": "string"},
                    },
                    "null",
                ],
                "server": {"version": "string", "uptime_seconds": "number", "docs_root": "string"},
                "embedding": {
                    "model": "string",
                    "dimensions": "integer",
                    "provider": "string",
                    "state": ["unused", "loading", "ready", "unavailable"],
                    "note": ["string", "null"],
                },
                "git": [
                    {
                        "head_commit": ["string", "null"],
                        "origin_main": ["string", "null"],
                        "dirty": ["boolean", "null"],
                    },
                    "null",
                ],
                "collections?": [
                    {
                        "list of": {
                            "collection": "string",
                            "docs_root": "string",
                            "index": {
                                "generation": "integer",
                                "checked_at": "string",
                                "pending": "integer",
                                "stale": "boolean",
                                "reason?": ["string", "null"],
                                "total_pages": "integer",
                                "total_chunks": "integer",
                                "last_indexed": ["string", "null"],
                                "db_path": "string",
                                "db_size_bytes": "integer",
                                "skipped": {"map to": "integer"},
                                "failed": {"map to": "integer"},
                                "failures?": [{"list of": {"file_path": "string", "reason": "string"}}, "null"],
                                "incomplete": {"map to": "integer"},
                                "indexing": [{"done": "integer", "total": "integer"}, "null"],
                                "rereading?": ["integer", "null"],
                                "freshness": {"method": ["inotify", "scan"], "reason": "string"},
                                "warnings": {"list of": "string"},
                            },
                            "git": [
                                {
                                    "head_commit": ["string", "null"],
                                    "origin_main": ["string", "null"],
                                    "dirty": ["boolean", "null"],
                                },
                                "null",
                            ],
                        }
                    },
                    "null",
                ],
            },
            "open_citation": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "ref": "string",
                "content": "string",
                "source": {
                    "title": "string",
                    "path": "string",
                    "section": "string",
                    "page_numbers": {"list of": "integer"},
                    "boxes": {
                        "list of": {"page": "integer", "x0": "number", "y0": "number", "x1": "number", "y1": "number"}
                    },
                },
                "current": "boolean",
                "newer_ref?": ["string", "null"],
                "link?": ["string", "null"],
                "incomplete?": ["string", "null"],
                "ocr?": ["string", "null"],
            },
            "verify_quote": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "verdict": ["exact", "normalised", "moved", "stitched", "absent"],
                "at": ["string", "null"],
                "content": "string",
                "link?": ["string", "null"],
                "incomplete?": ["string", "null"],
                "ocr?": ["string", "null"],
            },
            "doc_index_build": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "index_id": "string",
                "doc_fingerprint": "string",
                "doc_type": "string",
                "page_count": ["integer", "null"],
                "chunk_count": "integer",
                "toc": {"list of": {"locator": "string", "title": "string"}},
                "notes": {"list of": "string"},
            },
            "doc_search": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "results": {
                    "list of": {
                        "locator": "string",
                        "ref": "string",
                        "kind": ["text", "table"],
                        "snippet": "string",
                        "score": "number",
                    }
                },
            },
            "doc_read": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "locator": "string",
                "ref": "string",
                "kind": ["text", "table", "section"],
                "content": "string",
                "meta": {
                    "heading_path": {"list of": "string"},
                    "original_heading": "string",
                    "chunk_index": ["integer", "null"],
                    "table_index": ["integer", "null"],
                    "page": ["integer", "null"],
                },
            },
            "json_validate_and_normalize": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "ok": "boolean",
                "errors": {"list of": "string"},
                "warnings": {"list of": "string"},
                "normalized": "object",
            },
            "knowledge_compare": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "old": "string",
                "new": "string",
                "changes": {
                    "list of": {
                        "change": ["added", "removed", "changed", "renumbered"],
                        "old": [
                            {
                                "requirement_text": "string",
                                "requirement_id": ["string", "null"],
                                "source": {"document_id": "string", "document_title": "string", "citation": "string"},
                                "normative": "boolean",
                                "score": "number",
                                "ref": "string",
                                "incomplete?": ["string", "null"],
                                "ocr?": ["string", "null"],
                            },
                            "null",
                        ],
                        "new": [
                            {
                                "requirement_text": "string",
                                "requirement_id": ["string", "null"],
                                "source": {"document_id": "string", "document_title": "string", "citation": "string"},
                                "normative": "boolean",
                                "score": "number",
                                "ref": "string",
                                "incomplete?": ["string", "null"],
                                "ocr?": ["string", "null"],
                            },
                            "null",
                        ],
                    }
                },
                "counts": {"map to": "integer"},
            },
            "knowledge_search": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "results": {
                    "list of": {
                        "id": "string",
                        "content": "string",
                        "score": "number",
                        "source": {
                            "document_id": "string",
                            "document_title": "string",
                            "citation": "string",
                            "document_type": "string",
                            "source_path": "string",
                            "page_numbers": {"list of": "integer"},
                            "section": "string",
                        },
                        "metadata": {
                            "chunk_type": "string",
                            "normative": "boolean",
                            "clause_number": ["string", "null"],
                            "clauses": {"list of": "string"},
                            "table_header?": ["string", "null"],
                            "section_hierarchy": {"list of": "string"},
                            "references": {"list of": "string"},
                        },
                        "ref": "string",
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                    }
                },
                "total": "integer",
                "query": "string",
                "search_type": ["hybrid", "semantic", "keyword"],
                "message?": ["string", "null"],
                "suggestions?": [{"list of": "string"}, "null"],
                "relevance?": ["number", "null"],
                "did_you_mean?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "note?": ["string", "null"],
            },
            "knowledge_lookup": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "term": "string",
                "found": "boolean",
                "definitions?": [
                    {
                        "list of": {
                            "definition": "string",
                            "source": {"document_id": "string", "document_title": "string", "citation": "string"},
                            "ref": "string",
                            "incomplete?": ["string", "null"],
                            "ocr?": ["string", "null"],
                        }
                    },
                    "null",
                ],
                "message?": ["string", "null"],
                "similar_terms?": [{"list of": "string"}, "null"],
            },
            "knowledge_requirements": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "results": {
                    "list of": {
                        "requirement_text": "string",
                        "requirement_id": ["string", "null"],
                        "source": {"document_id": "string", "document_title": "string", "citation": "string"},
                        "normative": "boolean",
                        "score": "number",
                        "ref": "string",
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                    }
                },
                "topic": "string",
                "standard_filter": ["string", "null"],
                "total": "integer",
                "message?": ["string", "null"],
                "suggestions?": [{"list of": "string"}, "null"],
                "relevance?": ["number", "null"],
                "note?": ["string", "null"],
            },
            "knowledge_keyword_search": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "results": {
                    "list of": {
                        "id": "string",
                        "content": "string",
                        "score": "number",
                        "source": {
                            "document_id": "string",
                            "document_title": "string",
                            "citation": "string",
                            "document_type": "string",
                            "source_path": "string",
                            "page_numbers": {"list of": "integer"},
                            "section": "string",
                        },
                        "metadata": {
                            "chunk_type": "string",
                            "normative": "boolean",
                            "clause_number": ["string", "null"],
                            "clauses": {"list of": "string"},
                            "table_header?": ["string", "null"],
                            "section_hierarchy": {"list of": "string"},
                            "references": {"list of": "string"},
                        },
                        "ref": "string",
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                    }
                },
                "total": "integer",
                "query": "string",
                "search_type": ["hybrid", "semantic", "keyword"],
                "message?": ["string", "null"],
                "suggestions?": [{"list of": "string"}, "null"],
                "relevance?": ["number", "null"],
                "did_you_mean?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "note?": ["string", "null"],
            },
            "knowledge_stats": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "warnings?": [{"list of": "string"}, "null"],
                "knowledge_base": {
                    "total_chunks": "integer",
                    "total_documents": "integer",
                    "total_tokens": "integer",
                    "storage_bytes": "integer",
                },
                "documents": {
                    "list of": {
                        "document_id": "string",
                        "document_title": "string",
                        "document_type": "string",
                        "chunk_count": "integer",
                        "ingested_at": "string",
                        "incomplete?": ["string", "null"],
                        "ocr?": ["string", "null"],
                    }
                },
                "vector_store": {
                    "backend": "string",
                    "status": ["healthy", "degraded", "unavailable"],
                    "hybrid_enabled": "boolean",
                },
                "embedding": {"model": "string", "dimensions": "integer"},
            },
            "knowledge_health": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "status": ["healthy", "degraded", "unhealthy"],
                "checks": {
                    "vector_store": {"status": ["up", "down"], "latency_ms": "integer", "message": "string"},
                    "embedding_service": {"status": ["up", "down"], "latency_ms": "integer", "message": "string"},
                },
                "timestamp": "string",
            },
            "process_document": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "content": "string",
                "content_length": "integer",
                "metadata": {
                    "source": "string",
                    "doc_type": "string",
                    "title?": ["string", "null"],
                    "pages?": ["integer", "null"],
                    "properties": {"map to": "string"},
                    "warnings": {"list of": "string"},
                    "fallback?": ["string", "null"],
                },
                "tables": {
                    "list of": {"content": "string", "table_type": "string", "location": "string", "metadata": "object"}
                },
                "images": {
                    "list of": {
                        "image_path": "string",
                        "ocr_text": "string",
                        "metadata": "object",
                        "confidence": "number",
                    }
                },
                "urls": {
                    "list of": {
                        "url": "string",
                        "context": "string",
                        "source_location": "string",
                        "confidence": "number",
                        "url_type": "string",
                    }
                },
                "detected_language": "string",
                "detected_language_name": "string",
                "reliable": "boolean",
            },
            "chunk_document": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "chunks": {
                    "list of": {
                        "text": "string",
                        "chunk_index": "integer",
                        "total_chunks": "integer",
                        "importance_score": "number",
                        "content_type": "string",
                        "locator": "string",
                        "page?": ["integer", "null"],
                        "ref": "string",
                    }
                },
                "chunk_count": "integer",
                "document_type": "string",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "retrieve_chunks": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "results": {
                    "list of": {
                        "text": "string",
                        "chunk_index": "integer",
                        "importance_score": "number",
                        "content_type": "string",
                        "score": "number",
                        "locator": "string",
                        "page?": ["integer", "null"],
                        "ref": "string",
                    }
                },
                "total_chunks_indexed": "integer",
                "search_type?": [["hybrid", "semantic", "keyword"], "null"],
                "relevance?": ["number", "null"],
                "did_you_mean?": ["string", "null"],
                "note?": ["string", "null"],
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_pdf_text": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "text": "string",
                "char_count": "integer",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_docx_text": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "text": "string",
                "char_count": "integer",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_pptx_text": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "text": "string",
                "char_count": "integer",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_xlsx_tables": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "tables": {
                    "list of": {"content": "string", "table_type": "string", "location": "string", "metadata": "object"}
                },
                "table_count": "integer",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_csv_tables": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "tables": {
                    "list of": {"content": "string", "table_type": "string", "location": "string", "metadata": "object"}
                },
                "table_count": "integer",
                "warnings?": [{"list of": "string"}, "null"],
            },
            "extract_image_text": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "truncated?": ["boolean", "null"],
                "next_cursor?": ["string", "null"],
                "partial?": ["boolean", "null"],
                "ocr_results": {"list of": {"text": "string", "confidence": "number", "metadata": "object"}},
                "warnings?": [{"list of": "string"}, "null"],
            },
            "detect_language": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "language_code": "string",
                "language_name": "string",
                "reliable": "boolean",
            },
            "get_system_health": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "status": ["healthy", "degraded"],
                "version": "string",
                "features": {"rerank": "boolean", "ocr": "boolean", "language_detection": "boolean"},
                "security": {"auth_enabled": "boolean", "rate_limit_rpm": "integer"},
                "models": {
                    "loaded": {"list of": "string"},
                    "fast": "string",
                    "accurate": "string",
                    "reranker": ["string", "null"],
                    "notes?": [{"list of": "string"}, "null"],
                },
                "formats": {"list of": "string"},
                "device": ["cuda", "mps", "cpu"],
                "cache": {
                    "download": {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                    "document": {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                    "retriever": {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                },
                "timestamp": "string",
            },
            "manage_cache": {
                "index?": [
                    {
                        "generation": "integer",
                        "checked_at": "string",
                        "pending": "integer",
                        "stale": "boolean",
                        "reason?": ["string", "null"],
                    },
                    "null",
                ],
                "download?": [
                    {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                    "null",
                ],
                "document?": [
                    {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                    "null",
                ],
                "retriever?": [
                    {
                        "hits": "integer",
                        "misses": "integer",
                        "hit_rate": "number",
                        "entries": "integer",
                        "bytes": "integer",
                    },
                    "null",
                ],
                "cleared?": [{"download": "integer", "document": "integer", "retriever": "integer"}, "null"],
            },
        }
    )


def test_marks(tools: list[Tool]) -> None:
    assert {t.name: (t.semantic, t.seconds, t.result_chars) for t in tools} == snapshot(
        {
            "search_docs": (True, None, None),
            "get_page": (False, None, 500000),
            "get_section": (False, None, 500000),
            "list_pages": (False, None, None),
            "get_status": (False, None, None),
            "open_citation": (False, None, 500000),
            "verify_quote": (False, None, None),
            "doc_index_build": (False, 120.0, None),
            "doc_search": (True, 60.0, None),
            "doc_read": (False, 60.0, 500000),
            "json_validate_and_normalize": (False, 60.0, None),
            "knowledge_compare": (False, None, None),
            "knowledge_search": (True, None, None),
            "knowledge_lookup": (False, None, None),
            "knowledge_requirements": (True, None, None),
            "knowledge_keyword_search": (False, None, None),
            "knowledge_stats": (False, None, None),
            "knowledge_health": (False, None, None),
            "process_document": (False, 300.0, None),
            "chunk_document": (False, 300.0, None),
            "retrieve_chunks": (True, 300.0, None),
            "extract_pdf_text": (False, 120.0, None),
            "extract_docx_text": (False, 120.0, None),
            "extract_pptx_text": (False, 120.0, None),
            "extract_xlsx_tables": (False, 120.0, None),
            "extract_csv_tables": (False, 120.0, None),
            "extract_image_text": (False, 120.0, None),
            "detect_language": (False, 30.0, None),
            "get_system_health": (False, 30.0, None),
            "manage_cache": (False, 30.0, None),
        }
    )


def test_the_surface_of_a_toolset_is_small(tools: list[Tool]) -> None:
    for _, toolset in groupby(tools, key=lambda tool: tool.toolset):
        surface = [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in toolset]
        assert len(json.dumps(surface, separators=(",", ":"))) < MOST_BYTES


def test_tools_of_several_folders_take_the_name_of_one(tools: list[Tool], tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("api", "handbook")}
    for folder in folders.values():
        folder.mkdir()
    several = App(load({"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}), folders).toolbox.tools
    assert {tool.toolset for tool in several if "collection" in tool.input_schema["properties"]} == {
        "docs",
        "citations",
    }
    assert not [tool.name for tool in several if "collection" not in tool.input_schema["properties"]]
    assert not [tool.name for tool in tools if "collection" in tool.input_schema["properties"]]
    for _, toolset in groupby(several, key=lambda tool: tool.toolset):
        assert len(json.dumps([tool.input_schema for tool in toolset])) < MOST_BYTES


def test_descriptions_are_one_or_two_sentences(tools: list[Tool]) -> None:
    for tool in tools:
        assert 1 <= tool.description.count(". ") + tool.description.endswith(".") <= 2, tool.name


def test_input_schemas_are_plain_and_closed(tools: list[Tool]) -> None:
    for tool in tools:
        written = json.dumps(tool.input_schema)
        assert tool.input_schema["additionalProperties"] is False
        assert '"null"' not in written and '"title"' not in written and "$ref" not in written
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


@pytest.mark.parametrize("with_folder", [True, False])
def test_no_face_and_no_combination_names_a_tool_that_it_does_not_serve(
    tools: list[Tool], tmp_path: Path, with_folder: bool
) -> None:
    known = {tool.name for tool in tools}
    possible = [row.name for row in TOOLSETS if with_folder or "folder" not in row.needs]
    for n in range(1, len(possible) + 1):
        for names in combinations(possible, n):
            served = {tool.name: tool for tool in tools if tool.toolset in names}
            asked = [filled(names, prompt.name, FILLED[prompt.name]) for prompt in listed(names)]
            assert len(asked) in (0, len(FILLED))
            texts = [
                instructions(names, "Documents."),
                *map(repr, asked),
                *(json.dumps(_surface(tool)) for tool in served.values()),
            ]
            named = {word for text in texts for word in re.findall(r"[a-z]+(?:_[a-z]+)+", text)} & known
            assert named <= served.keys(), names
            assert all(row.guide in texts[0] and row.guide for row in TOOLSETS if row.name in names)
    app = App(load({"PINCITE_CACHE": str(tmp_path)}), tmp_path if with_folder else None, toolsets=["all"])
    assert list(app.toolset_names) == possible


def test_every_search_says_where_it_searches() -> None:
    guides = {row.name: row.guide for row in TOOLSETS}
    for toolset, tool, where in (
        ("docs", "search_docs", "to the folder"),
        ("knowledge", "knowledge_search", "to the library"),
        ("extraction", "doc_search", "that file alone"),
        ("documents", "retrieve_chunks", "one document at a URL"),
    ):
        assert tool in guides[toolset] and where in guides[toolset]
    assert "verify_quote before you quote" in guides["citations"]


def test_the_tools_of_a_folder_are_listed_in_12_kilobytes(tools: list[Tool]) -> None:
    listed = [t for t in tools if t.toolset in ("docs", "citations")]
    sent = [describe(tool).model_dump(by_alias=True, exclude_none=True) for tool in listed]
    assert len(json.dumps(sent, separators=(",", ":"))) < 12_000
    for tool in tools:
        assert describe(tool).title and describe(tool).annotations
        jsonschema.Draft202012Validator.check_schema(tool.listed_output_schema)


def _surface(tool: Tool) -> list[object]:
    """All that a client reads of a tool."""
    return [tool.name, tool.title, tool.description, tool.input_schema, tool.output_schema]


def test_the_marks_of_the_contract_are_set(tools: list[Tool]) -> None:
    whole = {"get_page", "get_section", "open_citation", "doc_read"}
    assert {t.name for t in tools if t.result_chars == 500_000} == whole


def outline(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without words: fields, their types, and `?` behind those that may be left out."""
    definitions = schema.get("$defs", {})

    def shape(node: dict[str, Any]) -> Any:
        if "$ref" in node:
            return shape(definitions[node["$ref"].rpartition("/")[2]])
        if "anyOf" in node:
            return [shape(option) for option in node["anyOf"]]
        if "properties" in node:
            required = node.get("required", [])
            return {name if name in required else f"{name}?": shape(n) for name, n in node["properties"].items()}
        if "items" in node:
            return {"list of": shape(node["items"])}
        if isinstance(node.get("additionalProperties"), dict):
            return {"map to": shape(node["additionalProperties"])}
        return node.get("enum") or node["type"]

    return shape(schema)
