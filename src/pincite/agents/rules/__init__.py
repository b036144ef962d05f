"""The engine without a model: labels of the schema are matched with labels of the document.

Enters: a schema and the document's chunks.
Leaves: for each field a text of the document with its span, or none; the same for the same input.
First: `engine`.
Free: scores and exclusions, as long as `eval` of extraction gets no worse; its thresholds are measured there.
Modules: attached, engine, exclusions, options, per_model, records, typing.
"""
