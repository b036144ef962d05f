"""What a command opens: settings, files, and an application."""
