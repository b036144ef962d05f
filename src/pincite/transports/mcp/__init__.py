"""MCP: the tools and the documents, for agents."""
