"""What the formats of Office Open XML have in common: packages, properties, drawings."""
