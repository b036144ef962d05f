"""Sizes of units."""

KILOBYTE = 1_000
MEGABYTE = 1_000_000
"""Bytes, as users count them."""
GIGABYTE = 1e9

POINTS_PER_INCH = 72

NANOSECONDS_PER_SECOND = 1e9
