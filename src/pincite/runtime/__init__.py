"""What models run on, and work that a call may leave behind."""
