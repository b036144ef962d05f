"""What a question looks for, and how what was found is ordered."""
