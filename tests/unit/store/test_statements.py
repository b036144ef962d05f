import re
from pathlib import Path

from pincite.store.sqlite import store as sqlite
from pincite.store.sqlite.connections import connect
from pincite.store.statements import read_statements, split_script

FOLDER = Path(sqlite.__file__).parent
STATEMENTS = read_statements(FOLDER / "sqlite.sql")


def test_reads_each_statement_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.sql"
    path.write_text("-- head\n\n-- name: one\n-- What it is for.\nSELECT 1;\n\n-- name: two\n-- Also.\nSELECT\n  2;\n")
    assert dict(read_statements(path)) == {"one": "SELECT 1", "two": "SELECT\n  2"}


def test_splits_a_script_into_statements() -> None:
    assert split_script("CREATE TABLE a (b);\nCREATE TABLE c (d)\n") == ["CREATE TABLE a (b)", "CREATE TABLE c (d)\n"]


def test_every_statement_has_a_sentence() -> None:
    text = (FOLDER / "sqlite.sql").read_text()
    assert re.findall(r"^-- name: (\w+)\n(?!-- \w)", text, re.MULTILINE) == []


def test_every_statement_is_valid_on_the_schema_and_used(tmp_path: Path) -> None:
    connection = connect(tmp_path / "index.db", busy_timeout=0, create=True)
    for statement in split_script(STATEMENTS["schema"]):
        connection.execute(statement)
    for name in ("fresh", "fresh_by_instance", "fresh_by_term", "words_by_instance"):
        connection.execute(STATEMENTS[name])
    code = "".join(path.read_text() for path in FOLDER.parent.rglob("*.py"))
    for name, statement in STATEMENTS.items():
        numbered = {int(number) for number in re.findall(r"\?(\d)", statement)}
        named = dict.fromkeys(re.findall(r":([a-z]+)", statement), 1)
        if name != "schema":
            connection.execute(f"EXPLAIN {statement}", named or [1] * (len(numbered) or statement.count("?")))
        assert name == "past" or f'"{name}"' in code, f"{name} is used nowhere"
    connection.close()
