"""Tasks: stored before they are acknowledged, worked on by one worker at a time, finished once.

Enters: uploads with a schema.
Leaves: states, results, events and webhooks.
First: `service`.
Free: polling and threads. A claim's fence decides who may finish a task: both databases keep the rules in `base`.
    How long a worker may be silent is a setting (`settings/extraction`: PINCITE_TASK_LEASE).
Modules: base, loops, postgres/, rows, runner, service, sqlite, ulid, uploads, webhooks.
"""
