"""Word documents (ECMA-376 part 1, 17; strict and transitional)."""
