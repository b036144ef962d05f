"""Engines that fill a schema from a document.

Enters: a document with its chunks (`Material`) and a schema.
Leaves: an `Answer` by the interface in `base`: values with the passages that are said to prove them.
First: `base`.
Free: how an engine finds values; `services/extraction` verifies each of them and believes none. Rows are in `registry`.
Modules: anthropic_api, base, claude/, claude_sdk, openai_api, rules/.
"""
