"""REST, MCP over HTTP, and the guard before both, on one port."""
