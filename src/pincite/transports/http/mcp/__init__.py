"""MCP over streamable HTTP: sessions, and tool calls that are answered past the SDK.

Enters: posted JSON-RPC messages.
Leaves: answers as JSON or events, in both generations of the protocol.
First: `sessions`.
Free: `direct` is for speed alone: without it, the SDK answers the same.
Modules: direct, json_rpc, sessions.
"""
