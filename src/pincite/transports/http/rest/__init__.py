"""REST: the tools, tasks and uploads, and their OpenAPI description.

Enters: requests for tools, tasks, uploads and citations.
Leaves: JSON, described by OpenAPI from the same declarations.
First: `routes`.
Free: how a route works; paths, statuses and bodies are contracts.
Modules: document_uploads, openapi, routes, tasks, tools.
"""
