import json
from pathlib import Path

from unit.transports.cli.conftest import Pincite


def test_the_text_that_a_reference_cites_is_printed(docs: Path, pincite: Pincite) -> None:
    found = json.loads(pincite("search", "every month", "--docs", docs, "--json").out)
    ref = found["results"][0]["ref"]
    ran = pincite("read", ref, "--docs", docs)
    assert ran.code == 0
    assert "Rotate the signing keys every month." in ran.out
    assert "From keys.md" in ran.err


def test_a_reference_to_nothing_is_exit_code_2(docs: Path, pincite: Pincite) -> None:
    ran = pincite("read", "nowhere.md@00000000#h0-c1", "--docs", docs)
    assert (ran.code, ran.out) == (2, "")


def test_a_file_is_printed_by_another_command(docs: Path, pincite: Pincite) -> None:
    ran = pincite("read", docs / "keys.md")
    assert (ran.code, ran.out) == (2, "")
    assert "pincite convert" in ran.err
