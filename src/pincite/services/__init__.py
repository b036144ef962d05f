"""Services on top of the index.

Enters: calls of toolsets and transports, with collections from `app`.
Leaves: what is asked for, as dataclasses; `bounds` cuts answers to their size.
First: `bounds`.
Free: one service at a time: transports and tools call its class, no module behind it.
Modules: access_keys, bounds, citations/, conversion/, documents/, evaluation/, extraction/, git, introduction,
    library/, local_files, reading/, resources, tasks/, timed_cache, viewer/.
"""
