"""Opening a reference: across revisions, with its surroundings, and what is said when it does not stand."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import InvalidInput, NotFound, PinciteError, TimeoutExceeded, Unsupported
from pincite.evidence.claims import MAX_QUOTE_CHARS
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.settings import load
from pincite.tools.citations import OpenedCitation, VerifiedQuote
from support.serving import MakeApp, ask

PAGE = "# Keys\n\nHow keys work.\n\n## Rotation\n\nRotate each week.\n\n## Storage\n\nIn the vault.\n"

Open = Callable[..., OpenedCitation]
Check = Callable[[str, str], tuple[str, str | None, str]]


@pytest.fixture
def page(folder: Path) -> Path:
    path = folder / "keys.md"
    path.write_text(PAGE)
    return path


@pytest.fixture
def app(page: Path, make_app: MakeApp) -> App:
    assert page.exists()
    return make_app()


@pytest.fixture
def opened(app: App) -> Open:
    def call(ref: str, **arguments: object) -> OpenedCitation:
        answer = app.toolbox.call("open_citation", {"ref": ref, **arguments}, Call())
        assert isinstance(answer, OpenedCitation)
        return answer

    return call


@pytest.fixture
def ref(app: App) -> str:
    """The rotation's, as before there were marks."""
    return next(unmarked(hit.ref) for hit in ask(app, "rotation each week").results if "Rotate" in hit.content)


def unmarked(ref: str | None) -> str:
    return str(replace(parse(ref or ""), mark=""))


def problem(call: Callable[[], object], kind: type[PinciteError] = NotFound) -> str:
    with pytest.raises(kind) as caught:
        call()
    return caught.value.message


def test_a_reference_opens_to_the_text_that_it_was_given_with(opened: Open, ref: str) -> None:
    answer = opened(ref)
    assert answer.content == "## Rotation\n\nRotate each week.\n\n"
    assert (answer.source.title, answer.source.path, answer.source.section) == ("Keys", "keys.md", "Keys > Rotation")
    assert (answer.source.page_numbers, answer.source.boxes) == ([], [])
    assert (answer.current, answer.newer_ref, answer.truncated) == (True, None, None)
    assert answer.index is not None and not answer.index.stale


def test_a_range_is_cut_out_of_the_locator_s_text(opened: Open, ref: str) -> None:
    assert opened(f"{ref}:13-19").content == "Rotate"
    assert opened(f"{ref}:13-13").content == ""


def test_a_section_s_reference_opens_all_its_chunks(opened: Open, ref: str, page: Path) -> None:
    page.write_text(PAGE + "\n\n## Long\n\n" + "Many words in a row here. " * 300 + "\n")
    revision = parse(opened(ref).newer_ref or "").revision
    whole = opened(f"keys.md@{revision}#h4")
    part = opened(f"keys.md@{revision}#h4-c2")
    assert whole.content.startswith("## Long")
    assert part.content in whole.content and len(part.content) < len(whole.content)


def test_context_adds_neighbouring_chunks_on_each_side(opened: Open, ref: str) -> None:
    assert opened(ref, context=1).content == PAGE
    assert opened(ref, context=99).content == PAGE
    assert opened(ref, context=-1).content == opened(ref).content
    assert opened(f"{ref}:13-19", context=1).content == PAGE


def test_an_old_reference_stands_where_its_text_does(opened: Open, ref: str, page: Path) -> None:
    page.write_text("# Before\n\nNew.\n\n" + PAGE.replace("How keys work", "How all keys work"))
    answer = opened(f"{ref}:13-19")
    assert (answer.content, answer.current) == ("Rotate", False)
    assert answer.newer_ref is not None and unmarked(answer.newer_ref).endswith("#h3-c1:13-19")
    again = opened(answer.newer_ref)
    assert (again.content, again.current) == ("Rotate", True)
    section = ref.removesuffix("-c1")
    assert unmarked(opened(section).newer_ref).endswith("#h3")


def test_an_old_reference_to_a_section_that_grew_does_not_stand(opened: Open, ref: str, page: Path) -> None:
    page.write_text(PAGE.replace("Rotate each week.", "Rotate each week.\n\n" + "More and more words. " * 300))
    said = problem(lambda: opened(ref.removesuffix("-c1")))
    assert said.startswith("keys.md changed: h2 of revision")


def test_of_two_places_with_the_same_text_the_one_of_the_same_section_is_meant(
    opened: Open, ref: str, page: Path
) -> None:
    rotation = "## Rotation\n\nRotate each week.\n\n"
    page.write_text(f"# Other\n\n{rotation}# Keys\n\n{rotation}# Third\n\n{rotation}")
    assert unmarked(opened(ref).newer_ref).endswith("#h4-c1")


def test_a_reference_whose_text_changed_names_when_and_the_section_as_it_is_now(
    opened: Open, ref: str, page: Path
) -> None:
    page.write_text(PAGE.replace("each week", "each day"))
    said = problem(lambda: opened(ref))
    old = parse(ref).revision
    assert said.startswith(f"keys.md changed: h2-c1 of revision {old} ended 20")
    now = said.partition("Its section is now ")[2].partition(" (")[0]
    assert opened(now).content == "## Rotation\n\nRotate each day.\n\n"


def test_a_section_that_is_gone_names_the_nearest(opened: Open, ref: str, page: Path) -> None:
    page.write_text("# Keys\n\nHow keys work.\n\n## Rotating\n\nChanged.\n")
    assert "(Keys > Rotating)." in problem(lambda: opened(ref))
    page.write_text("")
    assert problem(lambda: opened(ref)).endswith("Search again.")


REWORDED = PAGE.replace("How keys work", "How all of the keys work")
ADDED = "# News\n\nNothing that is old.\n\n"


@pytest.fixture
def elsewhere(folder: Path, tmp_path: Path, make_app: MakeApp) -> Callable[..., OpenedCitation]:
    """Opens a reference in an index of its own, that never saw the page as it was."""
    caches = count()

    def call(ref: str, page: str, **settings: object) -> OpenedCitation:
        (folder / "keys.md").write_text(page)
        app = make_app(PINCITE_CACHE=tmp_path / f"cache{next(caches)}", **settings)
        answer = app.toolbox.call("open_citation", {"ref": ref}, Call())
        assert isinstance(answer, OpenedCitation)
        return answer

    return call


def marked(app: App, words: str) -> str:
    return next(hit.ref for hit in ask(app, words).results if words in hit.content)


@pytest.mark.parametrize("edited", [ADDED + REWORDED, REWORDED + ADDED, PAGE.replace("# Keys", "# All keys")])
def test_a_reference_opens_in_an_index_that_never_had_its_revision(
    elsewhere: Callable[..., OpenedCitation], app: App, edited: str
) -> None:
    ref = marked(app, "Rotate each week")
    answer = elsewhere(ref, edited)
    assert (answer.content, answer.current, answer.ref) == ("## Rotation\n\nRotate each week.\n\n", False, ref)
    assert answer.source.section.endswith("Rotation")
    again = elsewhere(answer.newer_ref or "", edited)
    assert (again.content, again.current) == (answer.content, True)


def test_a_range_opens_in_another_index(elsewhere: Callable[..., OpenedCitation], check: Check, ref: str) -> None:
    _, at, words = check(ref, "each week")
    answer = elsewhere(at or "", ADDED + REWORDED)
    assert (answer.content, answer.current) == (words, False)
    assert unmarked(answer.newer_ref).endswith(":20-29")


def test_a_reference_opens_in_other_chunks(
    elsewhere: Callable[..., OpenedCitation], make_app: MakeApp, page: Path
) -> None:
    long = "# Long\n\n" + "".join(f"Sentence {n} of the text.\n\n" for n in range(90))
    page.write_text(long)
    chunk = ask(make_app(), "sentence 70").results[0]
    for tokens in (64, 400):
        answer = elsewhere(chunk.ref, ADDED + long, PINCITE_CHUNK_TOKENS=tokens)
        assert answer.content.split() == chunk.content.split() and not answer.current
        assert elsewhere(answer.newer_ref or "", ADDED + long, PINCITE_CHUNK_TOKENS=tokens).content == answer.content


def test_words_that_now_are_in_two_sections_are_opened_whole(
    elsewhere: Callable[..., OpenedCitation], app: App
) -> None:
    ref = marked(app, "Rotate each week")
    parted = PAGE.replace("## Rotation\n\n", "## Rotation\n\n### ")
    answer = elsewhere(ref, ADDED + parted)
    assert answer.content == "## Rotation\n\n### Rotate each week."
    assert unmarked(answer.newer_ref).endswith("#h3:0-13")


def test_a_reference_whose_words_are_gone_names_the_section_that_its_locator_means_now(
    elsewhere: Callable[..., OpenedCitation], app: App
) -> None:
    ref = marked(app, "Rotate each week")
    said = problem(lambda: elsewhere(ref, PAGE.replace("each week", "each day")))
    revision = parse(ref).revision
    assert said.startswith(
        f"The words of h2-c1 of revision {revision} are not in keys.md any more, or in several places. "
        "Its section is now "
    )
    assert said.endswith(" (Keys > Rotation).")
    now = said.partition("Its section is now ")[2].partition(" (")[0]
    assert elsewhere(now, PAGE.replace("each week", "each day")).content == "## Rotation\n\nRotate each day.\n\n"


def test_an_old_reference_with_a_mark_stands_where_its_section_grew(opened: Open, app: App, page: Path) -> None:
    arguments = {"file_path": "keys.md", "heading_path": "Keys > Rotation"}
    ref = app.toolbox.call("get_section", arguments, Call()).model_dump()["ref"]
    page.write_text(PAGE.replace("Rotate each week.", "Rotate each week.\n\nAnd more and more words."))
    answer = opened(ref)
    assert (answer.content, answer.current) == ("## Rotation\n\nRotate each week.", False)


def test_a_document_that_is_gone_is_told_from_one_that_never_was(opened: Open, ref: str, page: Path) -> None:
    page.rename(page.with_name("kept.md"))
    assert problem(lambda: opened(ref)).startswith(f"keys.md was deleted; revision {parse(ref).revision} ended 20")
    assert problem(lambda: opened("kep.md@00000000#h1")) == "No document 'kep.md' here. Nearest: kept.md."


def test_a_revision_that_never_was_names_the_present_one(opened: Open, ref: str) -> None:
    present = parse(ref).revision
    assert f"The current one is {present}: search again." in problem(lambda: opened("keys.md@00000000#h1"))


def test_a_place_that_never_was_names_those_that_are(opened: Open, ref: str, page: Path) -> None:
    revision = parse(ref).revision
    said = problem(lambda: opened(f"keys.md@{revision}#h9"))
    assert said.startswith("keys.md has no h9: its 3 locators run from h1-c1 to h3-c1.")
    page.write_text("x")
    assert problem(lambda: opened(f"keys.md@{revision}#h9")) == (
        f"Revision {revision} of keys.md had no h9. Search again."
    )


def test_a_range_over_the_end_is_refused(opened: Open, ref: str) -> None:
    said = problem(lambda: opened(f"{ref}:5-900"), InvalidInput)
    assert said == "The range 5-900 reaches over the end of h2-c1: it has 32 characters."


def test_what_is_no_reference_shows_how_one_looks(opened: Open) -> None:
    assert "A reference looks like" in problem(lambda: opened("keys.md"), InvalidInput)


def test_a_document_that_could_not_be_read_says_why(opened: Open, folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\x00" * 5000)
    assert problem(lambda: opened("bad.md@00000000#h1")).startswith("bad.md could not be read: ")


def test_an_empty_document_has_no_places(opened: Open, app: App, folder: Path) -> None:
    (folder / "empty.md").write_text("")
    ask(app, "anything")
    with app.collection().store.snapshot() as snapshot:
        document = snapshot.document("empty.md")
    assert document is not None
    assert problem(lambda: opened(f"empty.md@{document.revision}#h0")) == "empty.md has no text."


@pytest.mark.usefixtures("no_background")
def test_a_document_that_has_just_changed_is_not_quoted_from_its_old_text(page: Path, make_app: MakeApp) -> None:
    ref = ask(make_app(), "rotation").results[0].ref
    page.write_text("# Changed\n")
    late = make_app(PINCITE_FRESH_BUDGET=0)
    said = problem(lambda: late.toolbox.call("open_citation", {"ref": ref}, Call()), TimeoutExceeded)
    assert said == "keys.md has just changed and has not been read again yet. Ask again in a moment."


def test_a_long_text_is_continued_without_loss(opened: Open, ref: str, page: Path) -> None:
    page.write_text(PAGE + "## Long\n\n" + "Many words in a row here. " * 3000 + "\n")
    revision = parse(opened(ref).newer_ref or "").revision
    asked = f"keys.md@{revision}#h4"
    first = opened(asked)
    parts, cursor = [first.content], first.next_cursor
    assert first.truncated
    while cursor:
        following = opened(asked, cursor=cursor)
        parts.append(following.content)
        cursor = following.next_cursor
    assert "".join(parts) == opened(asked, max_tokens=20_000).content + "".join(
        opened(asked, max_tokens=20_000, cursor=c).content for c in [opened(asked, max_tokens=20_000).next_cursor] if c
    )
    assert "".join(parts) == page.read_text()[len(PAGE) :]


@pytest.mark.parametrize(
    ("toolsets", "names"),
    [
        (("docs",), {"search_docs", "get_page", "get_section", "list_pages", "get_status"}),
        (("citations",), {"open_citation", "verify_quote"}),
    ],
)
def test_a_named_list_of_toolsets_is_served_exactly_as_named(
    folder: Path, tmp_path: Path, toolsets: tuple[str, ...], names: set[str]
) -> None:
    app = App(load({"PINCITE_CACHE": tmp_path, "EMBEDDING_PROVIDER": "hash"}), folder, toolsets=toolsets)
    assert {tool.name for tool in app.toolbox.tools} == names


def test_an_unknown_toolset_is_refused(folder: Path, tmp_path: Path) -> None:
    settings = load({"PINCITE_CACHE": tmp_path, "EMBEDDING_PROVIDER": "hash"})
    with pytest.raises(Unsupported, match="Known: docs, citations"):
        App(settings, folder, toolsets=("doc",))


@pytest.fixture
def check(app: App) -> Check:
    def call(ref: str, quote: str) -> tuple[str, str | None, str]:
        answer = app.toolbox.call("verify_quote", {"ref": ref, "quote": quote}, Call())
        assert isinstance(answer, VerifiedQuote)
        return answer.verdict.value, answer.at, answer.content

    return call


@pytest.mark.parametrize(
    ("quote", "verdict", "content"),
    [
        ("Rotate each week.", "exact", "Rotate each week."),
        ("Rotate  each\nweek", "normalised", "Rotate each week"),
        ("rotate each week", "normalised", "Rotate each week"),
        ("In the vault", "moved", "In the vault"),
        ("Rotate each day.", "absent", ""),
    ],
)
def test_a_quote_is_checked_against_what_a_reference_cites(
    check: Check, opened: Open, ref: str, quote: str, verdict: str, content: str
) -> None:
    found, at, words = check(ref, quote)
    assert (found, words) == (verdict, content)
    assert (at is None) == (verdict == "absent")
    if at is not None:
        assert opened(at).content == words


def test_a_quote_from_several_places_is_stitched(check: Check, ref: str, page: Path) -> None:
    one, other = "the first key is kept in the vault", "the second key is kept in the safe"
    page.write_text(
        f"# Keys\n\nSo {one} for ever.\n\n## Rotation\n\nRotate each week.\n\n## Other\n\nBut {other} too.\n"
    )
    verdict, at, words = check(ref, f"{one} {other}")
    assert (verdict, words) == ("stitched", f"{one} … {other}")
    assert at is not None and "#h1-c1:" in at


def test_a_quote_over_the_border_of_two_chunks_is_cited_by_its_section(
    check: Check, opened: Open, ref: str, page: Path
) -> None:
    sentences = [f"Sentence number {n} says something else about the keys in the vault." for n in range(200)]
    page.write_text(PAGE + "## Long\n\n" + "\n\n".join(sentences) + "\n")
    revision = parse(opened(ref).newer_ref or "").revision
    second = opened(f"keys.md@{revision}#h4-c2")
    number = int(second.content.split()[2])
    quote = f"{sentences[number - 1]} {sentences[number]}"
    verdict, at, words = check(f"keys.md@{revision}#h4", quote)
    assert verdict == "normalised" and at is not None and "#h4:" in at
    assert opened(at).content == words == f"{sentences[number - 1]}\n\n{sentences[number]}"


def test_a_quote_over_the_border_of_two_sections_is_cited_where_it_begins(check: Check, ref: str) -> None:
    verdict, at, words = check(ref, "Rotate each week. Storage In the vault")
    assert (verdict, words) == ("moved", "Rotate each week.\n\n## Storage\n\nIn the vault")
    assert at is not None and at.startswith(f"{ref.removesuffix('-c1')}:13-")


def test_a_quote_without_words_or_of_any_length_is_refused(check: Check, ref: str) -> None:
    assert "no word and no number" in problem(lambda: check(ref, "…"), InvalidInput)
    assert "Check it in parts" in problem(lambda: check(ref, "a" * (MAX_QUOTE_CHARS + 1)), InvalidInput)
