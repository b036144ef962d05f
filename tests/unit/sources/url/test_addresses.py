"""Downloads connect to public addresses, in whatever form one is written."""

import pytest

from pincite.sources.url.addresses import is_allowed, parsed, plain

PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]

PRIVATE = [
    "127.0.0.1",
    "127.255.0.9",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd12:3456::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
]

NEVER = [
    "0.0.0.0",  # noqa: S104 - nothing is bound to it
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::1",
    "2001:0:4136:e378::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "5f00::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(parsed(address), allow_private=False)
    assert is_allowed(parsed(address), allow_private=True)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_networks_and_loopback_are_allowed_by_configuration_alone(address: str) -> None:
    assert not is_allowed(parsed(address), allow_private=False)
    assert is_allowed(parsed(address), allow_private=True)


@pytest.mark.parametrize("address", NEVER)
def test_link_local_metadata_and_reserved_addresses_never_are(address: str) -> None:
    assert not is_allowed(parsed(address), allow_private=False)
    assert not is_allowed(parsed(address), allow_private=True)


def test_an_ipv4_address_inside_an_ipv6_address_is_found() -> None:
    assert str(plain(parsed("::ffff:10.0.0.1"))) == "10.0.0.1"
    assert str(plain(parsed("64:ff9b::a00:1"))) == "10.0.0.1"
    assert str(plain(parsed("2606:4700::1"))) == "2606:4700::1"
