"""Uploads, received as they arrive."""
