"""NumPy is imported by one thread, with one thread a product."""

import os
import subprocess
import sys
from pathlib import Path

RACE = """
import os, sys, threading
from pincite.runtime.imports import import_once
assert "numpy" not in sys.modules
faults = []
start = threading.Barrier(8)

def work():
    start.wait()
    try:
        import_once("numpy")
        import numpy
        numpy.zeros(3) @ numpy.zeros(3)
    except BaseException as fault:
        faults.append(fault)

threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not faults, faults
print(os.environ["OPENBLAS_NUM_THREADS"])
"""

INDEXED = """
import os, sys
from pathlib import Path
from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
values = {"PINCITE_CACHE": sys.argv[1], "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "0"}
app = App(load(values), Path(sys.argv[1]))
app.toolbox.call("list_pages", {}, Call())
assert "numpy" in sys.modules
print(os.environ["OPENBLAS_NUM_THREADS"])
app.close()
"""


def run(code: str, *arguments: str, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**environment, **variables},
        check=True,
        capture_output=True,
        text=True,
    )
    return ran.stdout.strip()


def test_threads_that_need_it_at_the_same_time_wait_for_the_first() -> None:
    assert run(RACE) == "1"


def test_what_a_user_has_set_stays() -> None:
    assert run(RACE, OPENBLAS_NUM_THREADS="3") == "3"


def test_indexing_imports_it_that_way_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    assert run(INDEXED, str(tmp_path)) == "1"
