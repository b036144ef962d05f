"""Collections that a mirror searches."""
