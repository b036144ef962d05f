"""Which addresses a download may connect to."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

_GLOBAL_IPV6 = IPv6Network("2000::/3")
"""All global unicast that IANA has allocated; every other address is private, link-local, multicast or reserved."""

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are the IPv4 address that the gateway connects to."""


def _networks(*written: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, written))


_SPECIAL = _networks(
    "192.0.0.0/24",  # IETF protocol assignments; Oracle Cloud's metadata service is there
    "192.88.99.0/24",  # relays of 6to4, deprecated by RFC 7526
    "168.63.129.16/32",  # Azure's metadata service, the one on a public address
    "2001::/23",  # IETF protocol assignments, with Teredo, which tunnels to any IPv4 address
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4, which tunnels to any IPv4 address
    "3fff::/20",  # documentation
)
"""Networks in the public ranges that are not public, in addition to those that Python 3.11 knows."""

_PRIVATE = _networks(
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "::1/128", "fc00::/7"
)
"""What `allow_private` adds: private networks (RFC 1918, 4193, 6598) and loopback."""

_METADATA = _networks("100.100.100.200/32", "fd00:ec2::254/128", "fd20:ce::254/128")
"""Metadata services of clouds (Alibaba, AWS, Google) on private addresses: they give away credentials. The others are
link-local."""


def plain(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address maps to (RFC 4291) or translates to (NAT64); else the address."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFF_FFFF) if address in _NAT64 else address


def is_allowed(address: Address, *, allow_private: bool) -> bool:
    """Return True if a download may connect to an address.

    Args:
        address: A resolved address.
        allow_private: Whether private networks and loopback are allowed. Link-local addresses, metadata services,
            multicast and reserved addresses never are.
    """
    target = plain(address)
    if _is_in(target, _METADATA):
        return False
    return _is_public(target) or (allow_private and _is_in(target, _PRIVATE))


def parsed(written: str) -> Address:
    """Return an address as `getaddrinfo` writes it, which may name its zone (`fe80::1%eth0`)."""
    return ip_address(written)


def _is_public(address: Address) -> bool:
    if _is_in(address, _SPECIAL):
        return False
    if isinstance(address, IPv6Address):
        return address in _GLOBAL_IPV6
    return address.is_global and not address.is_multicast


def _is_in(address: Address, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)
