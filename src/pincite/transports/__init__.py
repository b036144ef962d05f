"""The interfaces: MCP and the command line."""
