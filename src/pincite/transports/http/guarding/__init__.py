"""What every request passes before a route: its connection, Host, Origin, key, limits and body.

Enters: an ASGI request.
Leaves: the same request, numbered and bounded, or a refusal.
First: `guard`.
Free: limits and their counting. What may be asked without a key is a table in `guard`.
Modules: bodies, connection, guard, limiter, origins.
"""
