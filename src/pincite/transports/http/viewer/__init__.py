"""The web page at `/ui/`: its static files, and the routes that it alone uses."""
