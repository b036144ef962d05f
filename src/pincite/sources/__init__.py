"""Where documents come from, and how changes are noticed."""
