"""The arguments of toolsets whose tools share them.

Enters: what a client sends.
Leaves: one model, and what of it the log shows.
First: `knowledge`.
Free: messages of refusals; names and bounds are contract 2.
Modules: knowledge.
"""
