"""Common to all formats of Office Open XML: packages, properties, drawings."""
