"""Output of commands: text, JSON, progress and logs."""
