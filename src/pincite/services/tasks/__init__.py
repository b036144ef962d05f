"""Tasks: stored before they are acknowledged, worked on by one worker at a time, finished once."""
