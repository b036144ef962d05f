"""Nouns: frozen dataclasses that every layer speaks in. No I/O."""
