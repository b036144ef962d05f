"""Table detection on untagged pages: ruled and borderless tables."""
