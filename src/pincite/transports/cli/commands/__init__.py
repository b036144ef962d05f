"""The commands, one a module: its arguments with their help, and what it does."""
