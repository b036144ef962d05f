"""Format detection and text decoding."""
