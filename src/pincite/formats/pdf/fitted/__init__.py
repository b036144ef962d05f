"""Decisions by fitted weights: trees over features of lines, as arrays."""
