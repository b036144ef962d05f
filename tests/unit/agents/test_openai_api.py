"""The engine `openai` needs an address and its model's name; `tests/contracts/test_agent_runner.py` runs it."""

from pathlib import Path

import pytest

from pincite.errors import ConfigError
from support.agents import SCHEMA, answer, bench
from support.scripted_model import Failure, Text, following


def nothing(_: object) -> Text:
    return answer({"general": {"weight": None}}, {"general": {"weight": None}})


def test_an_alias_of_another_maker_names_no_model(tmp_path: Path) -> None:
    with bench(tmp_path) as desk, pytest.raises(ConfigError, match="AGENT_MODEL"):
        desk.engine("http://127.0.0.1:1", "chat", AGENT_MODEL="sonnet")


def test_without_an_address_the_setting_is_named(tmp_path: Path) -> None:
    with bench(tmp_path) as desk, pytest.raises(ConfigError, match="PINCITE_AGENT_BASE_URL"):
        desk.engine("", "chat", PINCITE_AGENT_BASE_URL="")


def test_auto_takes_it_where_its_address_is_set_and_says_why(tmp_path: Path) -> None:
    with bench(tmp_path) as desk, following([nothing]) as model:
        desk.engine(model.url, "chat")
        result = desk.extract(desk.app.engine("auto", desk.file))
    assert result.engine == "openai"
    assert result.usage["chosen"] == "auto: PINCITE_AGENT_BASE_URL is set"
    assert {"original_file", *result.data} == set(SCHEMA)


def test_an_endpoint_without_structured_output_is_asked_without_it(tmp_path: Path) -> None:
    refusals = iter([Failure(400, "invalid_request_error", "response_format is not supported")])
    with bench(tmp_path) as desk, following([lambda r: next(refusals, None) or nothing(r)]) as model:
        desk.extract(desk.engine(model.url, "chat"))
    assert ["response_format" in asked for asked in model.asked] == [True, False]
    assert model.tools == ["doc_index_build", "doc_search", "doc_read", "json_validate_and_normalize"]
