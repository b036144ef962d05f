"""The interfaces: REST, MCP and the command line.

Enters: requests, lines and arguments.
Leaves: answers; every failure becomes a `PinciteError` and is told by `problems`.
First: `served`.
Free: one transport at a time: `http` builds on `mcp`, and the command line starts both.
Modules: calls, cli/, http/, logging, mcp/, metrics, problems, served, tracing, workers.
"""
