"""The version: a module of its own, so that no module below imports the package's public API."""

__version__ = "0.1.0"
