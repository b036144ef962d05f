"""What `pincite doctor` checks of clients, servers and services.

Enters: settings, clients' configurations.
Leaves: checks with their state and fix.
First: `services`.
Free: texts and order of checks; names and states are in its `--json`.
Modules: clients, server, services.
"""
