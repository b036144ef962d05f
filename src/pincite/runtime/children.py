"""Child processes: they get a named list of environment variables, and can gain no privileges."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from typing import TypeVar

SYSTEM = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TEMP", "TMP", "XDG_*_HOME"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "*APPDATA", "PROGRAM*"),
    *("LD_LIBRARY_PATH", "DYLD_*", "MALLOC_*", "GLIBC_TUNABLES", "VIRTUAL_ENV", "PYTHON*", "COVERAGE_*"),
)
"""What any program may need to start, by shell patterns; none of it is a secret."""

NETWORK = ("*_PROXY", "*_proxy", "SSL_CERT_*", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
"""What a program needs that calls others: proxies, which may carry a password, and certificates."""

_SET_NO_NEW_PRIVILEGES = 38
"""`PR_SET_NO_NEW_PRIVS` of prctl(2)."""

T = TypeVar("T")


def environment(*needed: str, **given: str) -> dict[str, str]:
    """Return the environment of a child process: variables of the system, and those that it needs besides.

    Args:
        needed: Names or shell patterns.
        given: Variables with their values; they come before inherited ones.
    """
    return {**{name: value for name, value in os.environ.items() if is_listed(name, needed)}, **given}


def is_listed(name: str, needed: tuple[str, ...]) -> bool:
    """Return True if a variable is one of the system's or of these names and shell patterns."""
    return any(fnmatchcase(name, pattern) for pattern in (*SYSTEM, *needed))


def confined(start: Callable[[], T]) -> T:
    """Return what a function returns that starts a process, which can gain no privileges, nor can its own children.

    The function runs in a thread of its own, as the bit is the thread's: this thread may belong to another program.
    """
    with ThreadPoolExecutor(1, initializer=give_up_privileges) as pool:
        return pool.submit(start).result()


def give_up_privileges() -> None:
    """Let no program that this thread starts gain privileges by a set-user-ID bit; nothing where Linux is not."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only there

        ctypes.CDLL(None).prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
