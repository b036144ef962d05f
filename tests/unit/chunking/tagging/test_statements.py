"""What the passages of a section are."""

from dataclasses import replace

import pytest

from pincite.chunking.clauses import ClausePolicy
from pincite.chunking.tagging.outline import outline
from pincite.chunking.tagging.statements import Passages
from pincite.embedding.wordpiece import WordPiece
from pincite.model.call import Call
from pincite.model.document import BlockKind
from support.cut_documents import document


def passages(text: str) -> list[tuple[str, str]]:
    """Return type and text of each passage, headings left out."""
    found = document(text)
    clauses = outline(found, Call())
    read = Passages(found.text, clauses)
    result: list[tuple[str, str]] = []
    for section in found.sections:
        blocks = [block for block in section.blocks if block.kind is not BlockKind.HEADING]
        if blocks:
            result += [
                (passage.chunk_type, found.text[passage.start : passage.end].strip())
                for passage in read.of(blocks, blocks[0].start, section.end)
            ]
    return result


def types(text: str) -> list[str]:
    return [name for name, _ in passages(text)]


def test_each_sentence_is_what_its_strongest_word_makes_it() -> None:
    assert passages("Doors open. They shall lock. They should be green. They may squeak.") == [
        ("overview", "Doors open."),
        ("requirement", "They shall lock."),
        ("recommendation", "They should be green."),
        ("overview", "They may squeak."),
    ]


def test_the_mark_of_a_footnote_belongs_to_its_sentence() -> None:
    assert passages("Doors open. [^1] They shall lock. [^a][^b]\n\n[^1]: At noon.\n") == [
        ("overview", "Doors open. [^1]"),
        ("requirement", "They shall lock. [^a][^b]"),
        ("overview", "[^1]: At noon."),
    ]
    assert types("They shall lock. [^1]") == ["requirement"]


def test_the_number_of_a_sentence_belongs_to_it() -> None:
    assert passages(
        "# 1 Doors\n\nIt must open. 11. Doors must lock. 12. They shall close. It has 12. It shall be."
    ) == [
        ("requirement", "It must open."),
        ("requirement", "11. Doors must lock."),
        ("requirement", "12. They shall close."),
        ("guidance", "It has 12."),
        ("requirement", "It shall be."),
    ]


def test_a_paragraph_without_a_letter_belongs_to_the_next_one() -> None:
    assert passages("# 1 Doors\n\n4.15\n\nDoors must lock. They open.\n\n7\n\n> Oil.\n\n# 2 Walls\n\n42\n") == [
        ("requirement", "4.15\n\nDoors must lock."),
        ("guidance", "They open."),
        ("guidance", "7"),
        ("guidance", "> Oil."),
        ("guidance", "42"),
    ]


def test_each_item_of_a_list_stands_alone_if_any_binds() -> None:
    text = "- The door shall open.\n- It is green.\n- It should be oiled. It must be light.\n"
    assert types(f"# 1 Doors\n\n{text}") == ["requirement", "guidance", "recommendation", "requirement"]


def test_a_note_binds_nobody_and_neither_does_the_paragraph_after_its_marker() -> None:
    text = "# 1 A\n\nNOTE 1 It must be read.\n\nNote\n\nIt shall be read.\n\nIt shall be done.\n"
    assert types(text) == ["guidance", "guidance", "guidance", "requirement"]


def test_an_example_ends_with_what_it_announces() -> None:
    text = "# 1 A\n\nEXAMPLE 2:\n\n- a user must wait\n\nUsers must wait.\n\nFor example, users must sit.\n"
    assert types(text) == ["example", "example", "requirement", "guidance"]


def test_a_quotation_counts_as_its_text_says_and_code_never() -> None:
    text = "# 1 A\n\n> All shall wait.\n>\n> **Note** They shall sit.\n\n```\nYou must wait.\n```\n"
    assert types(text) == ["requirement", "guidance", "guidance"]


def test_typed_items_stay_with_the_sentence_that_announces_them() -> None:
    text = "# 1 A\n\nIt shall show:\n\na) the load;\n\nb) the radius.\n\nIt should be blue.\n"
    chunks = ClausePolicy(200, 800, 100).cut(document(text), WordPiece(), Call())
    assert [(chunk.tags.chunk_type, chunk.text.strip()) for chunk in chunks] == [
        ("requirement", "# 1 A\n\nIt shall show:\n\na) the load;\n\nb) the radius."),
        ("recommendation", "It should be blue."),
    ]


def test_captions_and_pictures_are_figures() -> None:
    assert types("# 1 A\n\n![x](x.png)\n\nFigure 1 — A door\n\n**Table 1 — Doors**\n") == ["figure", "figure", "table"]


def test_rows_that_bind_stand_alone_and_the_others_together() -> None:
    text = "# 1 A\n\n| a | b |\n|---|---|\n| x | y |\n| x | It shall hold. Rationale: it must. |\n"
    text += "| x | It should. |\n| x | z |\n"
    assert passages(text) == [
        ("table", "| a | b |\n|---|---|\n| x | y |"),
        ("requirement", "| x | It shall hold."),
        ("guidance", "Rationale: it must. |"),
        ("recommendation", "| x | It should. |"),
        ("table", "| x | z |"),
    ]


def test_a_numbered_row_that_commands_is_a_requirement() -> None:
    text = "# V1 A\n\n# V2.1 B\n\n| # | Description |\n|---|---|\n| **2.1.1** | Verify that doors lock. |\n"
    assert types(text) == ["requirement"]


def test_the_first_row_has_the_header_which_is_not_embedded() -> None:
    rows = "| 1.1 | Verify that doors lock. |\n| 1.2 | Verify that they open. |\n"
    text = f"# V1 A\n\n| # | Description |\n|---|---|\n{rows}"
    found = document(text)
    (block,) = [block for block in found.sections[0].blocks if block.kind is BlockKind.TABLE]
    first, second = Passages(text, outline(found, Call())).of([block], block.start, len(text))
    assert first.embed_start is not None
    assert text[first.start : first.embed_start] == "| # | Description |\n|---|---|\n"
    assert text[first.embed_start : first.end] == "| 1.1 | Verify that doors lock. |\n"
    assert (second.start, second.embed_start) == (first.end, first.end)


def test_a_numbered_row_that_was_deleted_keeps_its_number() -> None:
    rows = "| # | Description |\n|---|---|\n| 2.1.1 | Verify that doors lock. |\n| 2.1.2 | [DELETED] |\n"
    assert passages(f"# 2.1 B\n\n{rows}")[-1] == ("table", "| 2.1.2 | [DELETED] |")


def test_informative_sections_and_glossaries_in_them() -> None:
    text = "# 1 A\n\nx\n\n# Annex A (informative)\n\nDoors shall lock.\n\n## A.1 Glossary\n\n- Door — what shall open\n"
    assert types(text) == ["guidance", "annex", "definition"]


def test_the_entries_of_a_glossary() -> None:
    text = (
        "# 3 Terms and definitions\n\nFor the purposes of this document, these terms apply.\n\n"
        "**3.1**\n\n**door**\n\npart that opens\n\nNote 1 to entry: A hatch must be counted.\n\n"
        "**lock**\n\npart that holds\n\nhatch — small door\n\nAdvisory — as in ISO 29147\n\n"
        "## 3.2 gate\n\nlarge door\n\nIt is heavy.\n\n## 3.3 General\n\nPlain text.\n"
    )
    assert passages(text) == [
        ("guidance", "For the purposes of this document, these terms apply."),
        ("definition", "**3.1**\n\n**door**\n\npart that opens"),
        ("guidance", "Note 1 to entry: A hatch must be counted."),
        ("definition", "**lock**\n\npart that holds"),
        ("definition", "hatch — small door"),
        ("reference", "Advisory — as in ISO 29147"),
        ("definition", "large door"),
        ("guidance", "It is heavy."),
        ("guidance", "Plain text."),
    ]


def test_an_entry_may_end_in_a_list_and_the_title_of_a_glossary_is_none() -> None:
    text = (
        "# Annex 1 - Definitions\n\n## 1.1 Terms\n\n**Registrar**: A person that registers names by agreement with:\n\n"
        "- an authority, or\n- a centre.\n\n**Terms**: the following:\n"
    )
    found = document(text)
    read = Passages(found.text, outline(found, Call()))
    named = [read.of(section.blocks, section.blocks[0].start, section.end) for section in found.sections]
    assert [[passage.chunk_type for passage in section] for section in named] == [
        ["annex"],
        ["annex", "definition", "annex", "annex", "annex"],
    ]


def test_prose_is_named_after_its_section() -> None:
    text = "# Foreword\n\nx\n\n# 1 Scope\n\nx\n\n# 2 References\n\nx\n\n# 3 Doors\n\nx\n\n# Annex A\n\nx\n"
    assert types(text) == ["overview", "overview", "reference", "guidance", "annex"]


def test_footnotes_and_generic_titles_of_a_glossary_define_nothing() -> None:
    text = "# Glossary\n\n- **Path**\n  A name.[^1]\n\n## Layer\n\nChanges.\n\n### Explanation\n\nSo be it.\n\n"
    text += "[^1]: [back](#a) Lock files: are used instead.\n"
    assert types(text) == ["definition", "definition", "guidance", "guidance"]


ENTRIES = "## Pump\n\nA device that moves.\n\n## Valves\n\nValves are parts that close.\n\n## Flow\n\nMuch.\n\n"
PHRASES = (
    "## Balance\n\nThe amount of an account.\n\n## Gateway\n\nProgram or device that joins networks.\n\n"
    "## Flow\n\nMuch.\n\n"
)
MODELS = (
    "## Roles\n\nMany are here.\n\n## Flow\n\nMuch runs.\n\n## Pump model\n\nWe think of it as a chain.\n\n"
    "## Pipe\n\nA part that holds.\n\n"
)


@pytest.mark.parametrize(("sections", "name"), [(ENTRIES, "definition"), (PHRASES, "definition"), (MODELS, "guidance")])
def test_sub_sections_of_a_glossary_are_entries_where_most_look_so(sections: str, name: str) -> None:
    assert {*types(f"# Terminology\n\n{sections}")} == {name}


@pytest.mark.parametrize(
    "sentence",
    [
        'For example, "v1" denotes version 1.',
        "They refer to a pump or to one that _does_ refer to a valve.",
        'The term "pump" is one of the most used terms.',
    ],
)
def test_a_sentence_that_mentions_a_term_does_not_define_it(sentence: str) -> None:
    assert types(f"# 1 Pumps\n\n{sentence}\n") == ["guidance"]


def test_a_sentence_may_announce_terms_outside_a_glossary() -> None:
    text = "# 1 A\n\nThis document uses the following terms:\n\nPump:  A device.\n\nValve:  A part.\n\nThe motor runs. "
    assert passages(text + "Also, it shall run.\n")[1:] == [
        ("definition", "Pump:  A device."),
        ("definition", "Valve:  A part."),
        ("guidance", "The motor runs."),
        ("requirement", "Also, it shall run."),
    ]


def test_a_list_of_announced_terms_may_have_a_title() -> None:
    text = "# 1 A\n\nThe following definitions are useful:\n\nScalable fonts\n\n- Well-formed pattern\n  A pattern.\n"
    text += "- Derived instance\n  The result of replacing fields.\n\nThe motor runs.\n"
    assert types(text) == ["guidance", "guidance", "definition", "definition", "guidance"]


def test_the_later_sentences_of_a_definition_may_require() -> None:
    text = "# 3 Terms\n\nPump: A device. It shall run.\n\n**3.1**\n\n> quoted\n"
    assert types(text)[:2] == ["definition", "requirement"]


def test_what_the_markup_sets_apart_binds_nobody() -> None:
    found = document("# 1 A\n\nDoors shall close.\n\nThey shall lock.\n\nThey shall sing.\n")
    roles = ("", "", "note", "informative")
    blocks = [replace(block, role=role) for block, role in zip(found.sections[-1].blocks, roles, strict=True)]
    read = Passages(found.text, outline(found, Call())).of(blocks[1:], blocks[1].start, len(found.text))
    assert [(passage.chunk_type, passage.normative) for passage in read] == [
        ("requirement", True),
        ("guidance", False),
        ("guidance", False),
    ]
