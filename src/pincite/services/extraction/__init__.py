"""Extraction: a document and a schema in, JSON with verified evidence out.

Enters: a file, a schema, and an engine of `agents`.
Leaves: values in the schema's shape, each with evidence or the reason why it has none.
First: `extraction`.
Free: how a schema is read, one form at a time. What an engine says is never believed: see
    `grounding`. Results as CSV and XLSX: `spreadsheets`.
Modules: aliases, bounds, capabilities, conformance, corrections, desks, extraction, grounding, indexes, json_schema,
    periods, schemas, skeleton, spreadsheets, tool_server, validation, work.
"""
