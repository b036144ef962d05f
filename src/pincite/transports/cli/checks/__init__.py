"""What `pincite doctor` checks of the installation, clients, servers and services.

Enters: settings, clients' configurations.
Leaves: checks with their state and fix.
First: `installation`.
Free: texts and order of checks; names and states are in its `--json`.
Modules: clients, installation, server, services.
"""
