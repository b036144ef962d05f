"""What the web page shows: documents, their pages with the boxes of every line, passages, citations.

Enters: the page's questions, with collections and tasks.
Leaves: dataclasses that are sent as they are, as JSON.
First: `viewer`.
Free: all of it, together with the page's scripts: no contract names its fields.
Modules: address, pages, schema_check, task_results, texts, viewer.
"""
