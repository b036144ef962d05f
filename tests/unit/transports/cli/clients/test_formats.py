import tomllib

import pytest

from pincite.errors import ConfigError
from pincite.transports.cli.clients.formats import as_json, as_toml, parsed, with_table

ENTRY = {"command": "/bin/python", "args": ["-m", "pincite", 'a "b" \\ c']}


def test_both_formats_say_what_they_were_given() -> None:
    content = {"servers": {"a": ENTRY, "b c": {"url": "http://a/mcp", "headers": {"x-api-key": "${K}"}}}}
    assert parsed(as_json(content), is_toml=False) == content
    assert parsed(as_toml(content), is_toml=True) == content


@pytest.mark.parametrize("is_toml", [True, False])
def test_a_text_of_another_format_is_refused(is_toml: bool) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parsed("{ // no", is_toml=is_toml)


def test_a_server_is_added_at_the_end_of_toml() -> None:
    text = '# mine\n[servers.other] # keep\ncommand = "x"\n[tail]\nn = 1\n'
    changed = with_table(text, "servers", "a", ENTRY)
    assert changed.startswith(text)
    assert tomllib.loads(changed)["servers"]["a"] == ENTRY
    assert with_table("", "servers", "a", ENTRY).startswith("[servers.a]\n")


def test_a_server_is_replaced_with_the_tables_below_it_and_nothing_else() -> None:
    text = '[servers.a]\ncommand = "x"\n\n[servers.a.env]\nK = "v"\n\n# of b\n[servers.ab]\nn = 1\n'
    changed = with_table(text, "servers", "a", ENTRY)
    assert tomllib.loads(changed) == {"servers": {"a": ENTRY, "ab": {"n": 1}}}
    assert with_table(changed, "servers", "a", ENTRY) == changed


@pytest.mark.parametrize("text", ['servers.a.command = "x"\n', 'servers = { a = { command = "x" } }\n'])
def test_a_server_in_another_form_is_left_to_the_person(text: str) -> None:
    with pytest.raises(ConfigError, match="by hand"):
        with_table(text, "servers", "a", ENTRY)
