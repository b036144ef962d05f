"""What `pincite doctor` checks of clients, servers and services."""
