"""The MCP server: tools and resources for agents.

Enters: JSON-RPC messages, over standard input or from `transports/http`.
Leaves: answers, progress and notifications.
First: `server`.
Free: limits in `flow`; what a client sees of tools comes from `toolkit`.
Modules: flow, messages, prompts, resources, server, stdio, tool_call.
"""
