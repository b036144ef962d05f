"""An agent that lies in eleven ways: not one lie is verified, and the truth beside them is."""

from pathlib import Path

from pincite.model.call import Call
from pincite.services.extraction.extraction import extract
from pincite.services.extraction.schemas import read_schema
from support.agents import bench
from support.lies import DOCUMENT, LIES, SCHEMA, check_no_lie, lying
from support.scripted_model import following


def test_no_lie_of_a_model_is_verified(tmp_path: Path, runner: str) -> None:
    with bench(tmp_path, DOCUMENT) as desk, following([lying]) as model:
        engine = desk.engine(model.url, runner)
        result = extract(desk.document, read_schema(SCHEMA), engine, Call())
    check_no_lie(result.data, result.evidence)
    assert sum("refused" in warning for warning in result.warnings) == len(LIES) + 1
