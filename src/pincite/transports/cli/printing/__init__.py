"""Output of commands: text, JSON, progress and logs.

Enters: lines, objects and styles.
Leaves: standard output and error, also if they are closed or full.
First: `output`.
Free: colours and layout; scripts read `--json` only.
Modules: findings, output, passages, stages, streams.
"""
