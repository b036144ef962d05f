"""What a slide of a presentation holds."""
