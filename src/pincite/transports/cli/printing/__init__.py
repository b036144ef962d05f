"""What a command prints, and where to."""
