"""The clients that `pincite connect` configures, and the servers that it connects them to."""
