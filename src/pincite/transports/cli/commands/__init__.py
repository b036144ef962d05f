"""A command a module: its arguments and its help, nothing of what it does."""
