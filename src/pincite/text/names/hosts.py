"""Names and addresses of hosts."""

from ipaddress import IPv4Address, IPv6Address, ip_address


def address(host: str) -> IPv4Address | IPv6Address | None:
    """Return a host that is an address as one; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Return True if a host can be reached from this machine alone."""
    parsed = address(host)
    return host.lower() == "localhost" if parsed is None else parsed.is_loopback
