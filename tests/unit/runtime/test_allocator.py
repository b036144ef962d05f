"""What glibc keeps of freed memory, as it reports it itself."""

import os
import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="nothing is set in another C library")

LIMITS = """
import ctypes, re, sys, tempfile, threading
from pincite.runtime import allocator

if sys.argv[1] == "limited":
    allocator.limit_kept_memory()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
del (large := [bytearray(16 << 20)])[:]  # glibc's own threshold follows the largest block that was freed
kept = bytearray(6 << 20)
ready, end = threading.Barrier(7), threading.Event()

def allocate():
    block = ctypes.create_string_buffer(2000)
    ready.wait()
    end.wait()

for thread in [threading.Thread(target=allocate, daemon=True) for _ in range(6)]:
    thread.start()
ready.wait()
with tempfile.NamedTemporaryFile("r") as file:
    stream = ctypes.c_void_p(libc.fopen(file.name.encode(), b"w"))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    shown = file.read()
end.set()
print(len(re.findall("<heap nr", shown)), re.search('type="mmap" count="([0-9]+)"', shown)[1])
"""

FREED = """
import re
from pathlib import Path
from pincite.runtime import allocator

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1000

blocks = [bytes(100_000) for _ in range(600)]
kept = blocks[-1]
del blocks
before = resident()
allocator.return_freed_memory()
print(before - resident())
"""


def output(code: str, *arguments: str, **variables: str) -> list[float]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-c", code, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env={**inherited, **variables})
    return [float(number) for number in ran.stdout.split()]


def test_all_threads_share_a_heap_and_a_large_block_is_mapped_on_its_own() -> None:
    heaps, mapped = output(LIMITS, "limited")
    free_heaps, free_mapped = output(LIMITS, "as it is")
    assert (heaps, mapped - free_mapped) == (1, 1)
    assert free_heaps > 2


@pytest.mark.parametrize("variables", [{"MALLOC_ARENA_MAX": "4"}, {"GLIBC_TUNABLES": "glibc.malloc.arena_max=4"}])
def test_a_number_of_heaps_that_its_own_variables_set_is_kept(variables: dict[str, str]) -> None:
    assert output(LIMITS, "limited", **variables)[0] == 4


def test_what_is_freed_below_memory_in_use_is_returned() -> None:
    (returned,) = output(FREED)
    assert returned > 40  # of 60 MB
