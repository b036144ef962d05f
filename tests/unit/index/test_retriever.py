import threading
import time
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.embedding.hashing import HashEmbedder
from pincite.errors import ConfigError, InvalidInput
from pincite.index import retriever
from pincite.index.retriever import Method, RetrievalResult
from pincite.index.searcher import Ranking
from pincite.model.call import Call
from pincite.model.chunk import ChunkKind
from pincite.model.search import Filter
from pincite.store.matching import KeywordLimits
from pincite.text.embed_text import embed_text
from pincite.tools.answers.docs import SearchAnswer
from support.searched import explained, write
from support.serving import MakeApp, ask, files


def test_the_list_is_sorted_by_the_score_it_shows(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\n{'zebra ' * n} and a walrus\n" for n in range(1, 12)})
    answer = ask(make_app(), "zebra walrus", top_k=20)
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert answer.search_type == "hybrid"


def test_ties_go_by_path_then_document_order(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{name}.md": "same words here\n" for name in ("d", "b", "a", "c")})
    answer = ask(make_app(), "same words", top_k=3)
    assert len({hit.score for hit in answer.results}) == 1
    assert files(answer) == ["a.md", "b.md", "c.md"]


def test_a_filter_counts_only_what_it_lets_through(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"guide/a.md": "# A\n\nzebra\n", "guide/deep/b.md": "# B\n\nzebra\n", "c.md": "# C\n\nzebra\n"})
    app = make_app()
    assert sorted(files(ask(app, "zebra", file_filter="guide/**"))) == ["guide/a.md", "guide/deep/b.md"]
    assert files(ask(app, "zebra", file_filter="guide/*")) == ["guide/a.md"]
    nothing = ask(app, "zebra", file_filter="nowhere/*")
    assert (nothing.results, nothing.total_chunks) == ([], 0)
    assert nothing.note == "No page matches file_filter."


def test_an_empty_folder_answers_empty(make_app: MakeApp) -> None:
    answer = ask(make_app(), "anything")
    assert (answer.results, answer.total_chunks) == ([], 0)


@pytest.mark.parametrize("query", ["", "   ", None])
def test_an_empty_query_is_refused(make_app: MakeApp, query: str | None) -> None:
    with pytest.raises(InvalidInput, match="query parameter is required"):
        make_app().toolbox.call("search_docs", {"query": query}, Call())


@pytest.mark.parametrize(("asked", "given"), [(-3, 1), (0, 1), (1, 1), (20, 20), (500, 20)])
def test_top_k_is_clamped(folder: Path, make_app: MakeApp, asked: int, given: int) -> None:
    write(folder, {f"{n:02}.md": f"# Page {n}\n\nzebra\n" for n in range(30)})
    assert len(ask(make_app(), "zebra", top_k=asked).results) == given


def test_without_a_model_words_alone_rank_and_the_answer_says_so(
    folder: Path, make_app: MakeApp, tmp_path: Path
) -> None:
    write(folder, {"a.md": "# A\n\nzebra\n", "b.md": "# B\n\nwalrus\n"})
    app = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False, PINCITE_CACHE=tmp_path / "empty")
    answer = ask(app, "zebra")
    assert files(answer) == ["a.md"]
    assert answer.search_type == "keyword"
    assert answer.results[0].similarity is None
    assert answer.note and answer.note.startswith("Ranked by keywords only:")
    assert answer.index is not None and not answer.index.stale


def test_a_model_that_becomes_ready_during_the_search_was_still_loading(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, {"a.md": "# A\n\nzebra\n"})
    assert ask(make_app(), "zebra").search_type == "hybrid"
    released = threading.Event()

    def load(_: HashEmbedder, __: Call) -> None:
        released.wait(60)

    monkeypatch.setattr(HashEmbedder, "load", load)
    app = make_app(PINCITE_MODEL_GRACE=0)
    embedder = app.collection().embedder
    search = retriever.search

    def search_while_it_loads(*arguments: Any) -> RetrievalResult:
        found = search(*arguments)
        released.set()
        assert embedder.ready(60)
        return found

    monkeypatch.setattr("pincite.index.searcher.search", search_while_it_loads)
    answer = ask(app, "zebra")
    assert answer.search_type == "keyword"
    assert answer.note == "Ranked by keywords only: The embedding model is still loading."


def test_a_search_out_of_time_answers_by_words_and_says_that_it_is_partial(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# A\n\nzebra\n"})
    app = make_app()
    assert ask(app, "zebra").partial is None
    late = app.toolbox.call("search_docs", {"query": "zebra"}, Call(deadline=time.monotonic()))
    assert isinstance(late, SearchAnswer)
    assert (files(late), late.search_type, late.partial) == (["a.md"], "keyword", True)
    assert late.note == "Ranked by keywords only: The time ran out."


@pytest.mark.usefixtures("no_background")
def test_meaning_waits_until_half_of_the_pages_have_vectors(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n:03}.md": f"# Page {n}\n\nzebra {n}\n" for n in range(60)})
    app = make_app(PINCITE_FRESH_BUDGET=60)
    few = ask(app, "zebra")
    assert (few.search_type, few.note) == ("keyword", "Ranked by keywords only: Most pages have no vectors yet.")
    assert few.index is not None and few.index.stale and few.index.pending == 60
    store, embedder = app.collection().store, app.collection().embedder.embedder
    rows = store.missing_vectors(40)
    vectors = embedder.embed([embed_text(row.context, row.text) for row in rows], Call())
    store.put_vectors({row.embed_hash: vectors[n] for n, row in enumerate(rows)})
    assert ask(app, "zebra").search_type == "hybrid"


def test_relevance_tells_a_question_that_is_answered_from_one_that_is_not(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\nThe walrus number {n} has tusks and swims.\n" for n in range(20)})
    write(folder, {"zebra.md": "# Zebra\n\nStripes and grass.\n"})
    app = make_app()
    near = ask(app, "zebra stripes and grass")
    far = ask(app, "configure the kafka broker")
    assert near.relevance is not None and far.relevance is not None
    assert 0 <= far.relevance < 0.5 < near.relevance <= 1
    assert near.note is None
    assert far.note == "The documents may not cover this question: judge the passages by what they say."
    assert len(far.results) == 5


def test_a_word_with_a_slip_is_searched_for_as_it_was_meant(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# Histogram\n\nbuckets\n", "b.md": "# Other\n\nwalrus\n"})
    answer = ask(make_app(), "histogrram Bukets")
    assert answer.did_you_mean == "histogram Bukets"
    assert files(answer)[0] == "a.md"
    assert ask(make_app(), "histogram").did_you_mean is None


@pytest.mark.usefixtures("no_background")
def test_nothing_is_repaired_while_documents_wait_to_be_read(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# Histogram\n", "b.md": "# Histogrram\n"})
    answer = ask(make_app(PINCITE_FRESH_BUDGET=0), "histogrram")
    assert answer.did_you_mean is None
    assert answer.index is not None and answer.index.stale


def test_explained_each_score_is_the_sum_of_its_parts(folder: Path, make_app: MakeApp, tmp_path: Path) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\n{'zebra ' * n} walrus\n" for n in range(1, 9)})
    app = make_app()
    for query in ("zebra walrus", "nothing-here", '"zebra zebra zebra walrus"'):
        for hit in ask(app, query, explain=True).results:
            assert explained(hit) == pytest.approx(hit.score, abs=3e-6)
    assert all(hit.explanation is None for hit in ask(app, "zebra").results)
    wordless = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False, PINCITE_CACHE=tmp_path / "empty")
    (hit, *_) = ask(wordless, "zebra", explain=True).results
    assert hit.explanation is not None and (hit.explanation.meaning, hit.explanation.words) == (0, hit.score)


@pytest.mark.parametrize("method", [Method.FUSED, Method.RRF])
def test_a_word_too_frequent_to_find_by_counts_all_the_same(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, method: Method
) -> None:
    monkeypatch.setattr("pincite.store.sqlite.store.KeywordLimits", lambda: KeywordLimits(prune_from=1, postings=0.1))
    write(folder, {f"{n:02}.md": f"# {n}\n\n{'zebra' if n < 9 else 'walrus'} {n}\n" for n in range(30)})
    app = make_app()
    ask(app, "zebra")
    with app.collection().view(Call(), semantic=True) as view:
        found = view.search(Call(), "zebra", 9, method=method)
    assert found.search_type == "hybrid"
    assert sorted(hit.chunk.document for hit in found.hits) == [f"{n:02}.md" for n in range(9)]
    assert all(hit.parts.keyword > 0 for hit in found.hits)


def test_by_meaning_alone_the_score_is_the_cosine(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\n{'zebra ' * n} walrus\n" for n in range(1, 9)})
    app = make_app()
    ask(app, "zebra")
    with app.collection().view(Call(), semantic=True) as view:
        found = view.search(Call(), "zebra walrus", 9, method=Method.SEMANTIC)
    assert found.search_type == "semantic"
    assert [hit.score for hit in found.hits] == [round(hit.similarity or 0, 6) for hit in found.hits]


def test_synonyms_find_what_the_question_does_not_say(folder: Path, make_app: MakeApp, tmp_path: Path) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\nwalrus {n}\n" for n in range(9)})
    write(folder, {"costs.md": "# Costs\n\nThe cost of sales rose.\n"})
    (tmp_path / "words.txt").write_text("cogs: cost of sales\n")
    plain, helped = make_app(), make_app(PINCITE_SYNONYMS=tmp_path / "words.txt")
    assert all(hit.explanation and not hit.explanation.words for hit in ask(plain, "cogs", explain=True).results)
    answer = ask(helped, "cogs", explain=True)
    assert files(answer)[0] == "costs.md"
    assert answer.results[0].explanation and answer.results[0].explanation.words > 0


def test_a_file_of_synonyms_that_cannot_be_read_is_a_fault_of_the_configuration(
    make_app: MakeApp, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.txt cannot be read as UTF-8 text\. Correct PINCITE_SYNONYMS"):
        make_app(PINCITE_SYNONYMS=tmp_path / "nowhere.txt")
    (tmp_path / "bad.txt").write_text("no colon\n")
    with pytest.raises(ConfigError, match="line 1"):
        make_app(PINCITE_SYNONYMS=tmp_path / "bad.txt")


def ranked(app: App, query: str, ranking: Ranking, call: Call | None = None) -> RetrievalResult:
    ask(app, query)
    with app.collection().view(Call(), semantic=True) as view:
        return view.ranked(call or Call(), query, 5, ranking)


def test_reciprocal_ranks_give_one_to_what_is_first_on_both_sides(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# A\n\nzebra crossing\n", "b.md": "# B\n\nwalrus\n", "c.md": "# C\n\nzebra walrus heron\n"})
    hits = ranked(make_app(), "zebra crossing", Ranking(Method.RRF, semantic_weight=0.7)).hits
    assert (hits[0].chunk.document, hits[0].score) == ("a.md", 1.0)
    assert hits[0].parts == pytest.approx((0.7, 0.3, 0))
    assert hits[1].parts == pytest.approx((0.7 * 61 / 62, 0.3 * 61 / 62, 0))


def test_reciprocal_ranks_stay_hybrid_if_no_word_matches(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# A\n\nzebra crossing\n"})
    found = ranked(make_app(), "okapi", Ranking(Method.RRF, semantic_weight=0.6))
    assert found.search_type == "hybrid"
    assert [hit.score for hit in found.hits] == [0.6]


def test_by_keywords_without_phrases_the_score_is_mapped_bm25_alone(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\n{'zebra ' * n} crossing the walrus road\n" for n in range(1, 9)})
    query, app = "zebra crossing the walrus road", make_app()
    plain = ranked(app, query, Ranking(Method.BM25))
    assert (plain.search_type, plain.keyword_reason) == ("keyword", "")
    assert all(hit.score == round(hit.parts.keyword, 6) < 1 for hit in plain.hits)
    assert ranked(app, query, Ranking(Method.KEYWORD)).hits[0].score > plain.hits[0].score


def test_a_filter_changes_no_score(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\nzebra {'walrus ' * n}\n" for n in range(1, 9)})
    app = make_app()
    everything = {hit.chunk.document: hit.score for hit in ranked(app, "walrus", Ranking(Method.BM25)).hits}
    for where in (Filter(kinds=frozenset({ChunkKind.TEXT})), Filter(documents=frozenset(range(9)))):
        found = ranked(app, "walrus", Ranking(Method.BM25, where=where))
        assert {hit.chunk.document: hit.score for hit in found.hits} == everything


def test_two_filters_let_through_what_both_do(folder: Path, make_app: MakeApp) -> None:
    write(folder, {f"{n}.md": f"# Page {n}\n\nzebra\n" for n in range(1, 5)})
    app = make_app()
    ids = {hit.chunk.document: hit.chunk.document_id for hit in ranked(app, "zebra", Ranking()).hits}
    where = Filter(documents=frozenset({ids["1.md"], ids["2.md"]}))
    found = ranked(app, "zebra", Ranking(keep=lambda name: name != "1.md", where=where))
    assert [hit.chunk.document for hit in found.hits] == ["2.md"]


def test_the_embedding_of_a_query_is_logged_for_those_who_debug(
    folder: Path, make_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    write(folder, {"a.md": "# A\n\nzebra crossing\n"})
    with caplog.at_level("DEBUG", "pincite.embedding"):
        ranked(make_app(), "zebra crossing", Ranking(Method.RRF), call := Call())
    records = [r for r in caplog.records if r.getMessage() == "embedding_generated"]
    record = next(r for r in records if vars(r)["rid"] == call.request_id)
    assert vars(record)["token_count"] >= 2 and vars(record)["latency_ms"] >= 0


@pytest.mark.parametrize("settings", [{}, {"PINCITE_MODEL_GRACE": "0", "EMBEDDING_PROVIDER": "hash"}])
def test_a_hit_is_neither_front_matter_nor_a_heading_an_embedded_page_or_a_drawing_alone(
    folder: Path, make_app: MakeApp, settings: dict[str, str]
) -> None:
    frame, drawing = "<iframe src='https://zebra.example'></iframe>", "<svg><text>zebra</text></svg>"
    pages = {
        "a.md": f"---\ntitle: Zebra\n---\n# Zebra\n\n## Film\n\n{frame}\n\n## Map\n\n{drawing}\n\n## Food\n\nGrass.\n",
        "b.md": "# Okapi\n",
    }
    write(folder, pages)
    found = ask(make_app(**settings), "zebra", top_k=20, file_filter="a.md")
    assert [hit.metadata.heading_path for hit in found.results] == ["Zebra > Food"]
    assert files(ask(make_app(**settings), "okapi"))[0] == "b.md"
