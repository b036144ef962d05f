"""What a command opens: settings, files, and an application.

Enters: options, the environment and `.env`.
Leaves: settings with logging configured, an open collection or library.
First: `configuration`.
Free: all of it: commands get what they work on from here alone.
Modules: applications, configuration, consent, places, running.
"""
