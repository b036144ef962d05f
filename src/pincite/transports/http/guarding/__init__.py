"""What every request passes before a route: its connection, Host, Origin, key, limits and body."""
