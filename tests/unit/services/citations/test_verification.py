"""Quotes are verified below the tools, and a document is prepared once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pincite.errors import Cancelled, InvalidInput
from pincite.evidence.file_order import FileOrder, Source, in_file_order
from pincite.evidence.quotes import Finding, Verdict
from pincite.evidence.search import Prepared, prepare
from pincite.model.call import Call
from pincite.services.citations.verification import Verification

TEXT = "Keys are rotated.\n\n| Year | Sales |\n| --- | --- |\n| 2021 | 300 |\n\nKeys expire.\n"
TABLE = (TEXT.index("| Year"), TEXT.index("\n\nKeys expire"), "Sales 300 Year 2021")
WHOLE = (0, len(TEXT))


def tables() -> list[Source]:
    return [TABLE]


def no_tables() -> list[Source]:
    return []


def check(quote: str, service: Verification | None = None, text: str = TEXT) -> Finding:
    return (service or Verification()).verify(quote, text, tables if text == TEXT else no_tables, WHOLE, Call())


def test_a_quote_is_matched_in_the_text() -> None:
    assert check("Keys are rotated.") == Finding(Verdict.EXACT, ((0, 17),))
    assert check("Keys are burnt.") == Finding(Verdict.ABSENT)


def test_a_quote_outside_of_the_cited_span_is_moved() -> None:
    found = Verification().verify("Keys expire.", TEXT, tables, (0, 17), Call())
    assert (found.verdict, TEXT[slice(*found.spans[0])]) == (Verdict.MOVED, "Keys expire.")


def test_a_table_is_also_matched_in_the_order_of_the_file() -> None:
    assert check("Sales 300 Year") == Finding(Verdict.NORMALISED, (TABLE[:2],))
    assert Verification().verify("Sales 300 Year", TEXT, no_tables, WHOLE, Call()) == Finding(Verdict.ABSENT)


def test_a_document_is_prepared_once_for_several_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def counted(text: str, call: Call) -> Prepared:
        texts.append(text)
        return prepare(text, call)

    def ordered(text: str, sources: list[Source], call: Call) -> FileOrder:
        texts.append("in the order of the file")
        return in_file_order(text, sources, call)

    monkeypatch.setattr("pincite.services.citations.verification.prepare", counted)
    monkeypatch.setattr("pincite.services.citations.verification.in_file_order", ordered)
    service = Verification()
    for quote in ("Keys are rotated.", "Keys expire.", "Keys are burnt.", "Sales 300 Year", "nothing of this"):
        check(quote, service)
    assert texts == [TEXT, "in the order of the file"]
    check("Another", service, "Another text.")
    assert texts[2:] == ["Another text."]


def test_tables_are_asked_for_only_if_the_cited_span_does_not_have_the_quote() -> None:
    asked: list[str] = []

    def counted() -> list[Source]:
        asked.append("tables")
        return [TABLE]

    for quote, times in [("Keys are rotated.", 0), ("Keys   are rotated.", 0), ("Sales 300 Year", 1), ("nothing", 2)]:
        Verification().verify(quote, TEXT, counted, WHOLE, Call())
        assert len(asked) == times


def test_a_quote_without_a_word_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no word and no number"):
        check("…")


def test_a_call_that_is_cancelled_prepares_nothing() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        Verification().verify("Keys", TEXT, tables, WHOLE, call)


def test_threads_get_the_verdicts_of_their_own_documents() -> None:
    service, texts = Verification(), [f"Document {number} says {number * 7}.\n" for number in range(8)]
    ready = threading.Barrier(8)

    def verdicts(number: int) -> list[Verdict]:
        ready.wait()
        quotes = [f"says {number * 7}.", f"says {number * 7 + 1}."] * 40
        return [check(quote, service, texts[number]).verdict for quote in quotes]

    with ThreadPoolExecutor(8) as threads:
        for answers in threads.map(verdicts, range(8)):
            assert answers == [Verdict.EXACT, Verdict.ABSENT] * 40
