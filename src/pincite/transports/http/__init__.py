"""REST, MCP over HTTP, and the guard before both, on one port.

Enters: HTTP requests.
Leaves: answers by the contracts, failures in the one shape of their path.
First: `app`.
Free: one room at a time: `app` puts their routes together, and each request passes `guarding` first.
Modules: answers, app, converter, exchange, guarding/, mcp/, receiving/, rest/, server, viewer/.
"""
