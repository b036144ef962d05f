"""How callers arrive."""
