"""The web page at `/ui/`: its static files, and the routes that it alone uses.

Enters: requests of the page.
Leaves: its files, and JSON of `services/viewer`.
First: `routes`.
Free: all of it, together with the scripts in `static/`.
Modules: routes, standalone.
"""
