"""Engines that fill a schema from a document."""
