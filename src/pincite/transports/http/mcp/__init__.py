"""MCP over streamable HTTP: sessions, and tool calls that are answered past the SDK."""
