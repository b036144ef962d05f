"""Passages of a library as an answer, and what an answer says where there are none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Literal

from pincite.embedding.base import TokenEmbedder
from pincite.errors import TimeoutExceeded
from pincite.index.retriever import Method, RetrievalResult, SearchType
from pincite.index.searcher import Ranking
from pincite.index.updating.missing import nearest_hint
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import Clause, Hit
from pincite.ranking.diversity import distinct_first
from pincite.ranking.token_similarity import reordered, token_similarity
from pincite.services.citations.text import without_number
from pincite.services.library.clause_names import (
    as_spelt,
    enclosing,
    headed_clauses,
    is_headed,
    is_inherited,
    is_numbered,
    named_clause,
    named_label,
    names_title,
)
from pincite.services.library.ingestion import path_of
from pincite.text.embed_text import text_to_embed
from pincite.text.excerpt import excerpts
from pincite.tools.answers.cited import passage_of
from pincite.tools.answers.knowledge import PassagesAnswer
from pincite.tools.answers.search_notes import low_relevance

DISTINCT_PASSAGES = 5
"""Number of first passages of a search that are of different clauses or, without clauses, of different pages.

A sentence is a passage: without this, the first five are often of two clauses (decision 0059), and
in a report of two pages. The number of a part of a report is no clause of what it contains.
"""

REPEATED_PASSAGES = 20
"""Number of further passages among which other clauses and pages are searched for."""

MAX_TITLED_SECTIONS = 3
"""Number of sections of one title from which it names none of them: every clause has "General"."""

MIN_LEADERS = 3
"""Dot leaders, or links within the page, from which a passage is a part of a table of contents or an index."""

MAX_UNLINKED_SHARE = 0.2
"""Share of the letters of such a list that are in no link."""

_OWN_LINK = re.compile(r"\[[^\]\n]*\]\(#[^()\s]*\)")
_LEADER = re.compile(r"(?:\.[ \u00a0]?){4,}")
_HEADING_ALONE = re.compile(r"\s*#{1,6}[ \t][^\n]*\s*")
_LETTER = re.compile(r"[^\W\d_]")
_NO_LETTER = re.compile(r"[\W_]+")
_STATEMENTS = frozenset({"requirement", "recommendation", "definition"})
"""Types of passages that say something even if they are a heading: "### The door shall lock"."""

SUGGESTIONS = ("Leave out a filter: nothing in the library passes all of them.",)
_EMPTY_LIBRARY = ("The library is empty. Add documents: pincite ingest FOLDER",)
_OTHER_WORDS = "Use other words."
_OTHER_WORDINGS = "Use other words, or knowledge_search, which also finds other wordings."


def find_passages(view: View, call: Call, query: str, n: int, ranking: Ranking, compared: int = 0) -> RetrievalResult:
    """Return the n best passages by `Method.BEST`; by any other method as that ranks them.

    First come the passages of a clause that the query names, then the best ones of different clauses or pages.

    A clause is named by its number or its title; for a number that no document has, the clause around it is searched,
    and a warning says so. A heading without text of its own comes after all that has some: it repeats what the next
    passages are under; so do contents and indexes. A passage without a letter, as the number of a step or the mark of
    a footnote, is at the end.
    No score is above the one before it. Where a leg is missing, the passages are as the other ranks them. A clause is
    meant as `as_spelt` says.

    Args:
        view: The library.
        call: Its deadline ends the comparison by tokens, too.
        query: What is sought.
        n: Maximum number of passages.
        ranking: How they are ranked.
        compared: Number of first passages whose clauses are compared with the query token by token.
    """
    ranking = replace(ranking, where=as_spelt(view, ranking.where))
    result = view.ranked(call, query, n + REPEATED_PASSAGES, ranking)
    if ranking.method is not Method.BEST or result.search_type is not SearchType.HYBRID:
        return replace(result, hits=result.hits[:n])
    named, reason = ((), "") if ranking.where.clauses else _named_passages(view, call, query, n, ranking, result.hits)
    known = {hit.chunk.id for hit in named}
    ranked = sorted((hit for hit in result.hits if not _has_no_letter(hit)), key=_only_names)
    ranked = _by_tokens(view, call, replace(result, hits=ranked), result.did_you_mean or query, compared)
    distinct = [*distinct_first(ranked, DISTINCT_PASSAGES, _clause_or_page), *filter(_has_no_letter, result.hits)]
    hits = sorted([*named, *(hit for hit in distinct if hit.chunk.id not in known)], key=_has_no_letter)
    least = accumulate((hit.score for hit in hits), min)
    capped = [replace(hit, score=score) for hit, score in zip(hits, least, strict=True)]
    return replace(result, hits=capped[:n], clause_reason=reason)


def _named_passages(
    view: View, call: Call, query: str, n: int, ranking: Ranking, candidates: Sequence[Hit]
) -> tuple[Sequence[Hit], str]:
    """Return the passages of the clause that a query asks for by number or title, and why they are of another clause.

    None if it asks for no clause, or neither that clause nor one around it is there.
    """
    if hits := _headed_passages(view, call, query, n, ranking, candidates):
        return hits, ""
    named = named_clause(query, _names(view))
    if named is None:
        hits = _labelled_passages(view, call, query, n, ranking)
        return hits or _titled_passages(view, call, query, n, ranking, candidates), ""
    among = ranking
    if named.documents is not None:
        given = ranking.where.documents
        kept = named.documents if given is None else named.documents & given
        among = replace(ranking, where=replace(ranking.where, documents=kept))
    if hits := _of_clause(view, call, query, n + REPEATED_PASSAGES, among, named.clause):
        return _in_order(hits) if named.alone else hits, ""
    if hits := _titled_passages(view, call, query, n, ranking, candidates):
        return hits, ""
    clause = enclosing(named.clause)
    while clause is not None:
        if hits := _of_clause(view, call, query, n, among, clause):
            return hits, f"There is no clause {named.clause.number} here: clause {clause.number} was searched."
        clause = enclosing(clause)
    return (), ""


def _of_clause(view: View, call: Call, query: str, n: int, ranking: Ranking, clause: Clause) -> Sequence[Hit]:
    """Return the passages of a clause; passages of several clauses come last."""
    where = as_spelt(view, replace(ranking.where, clauses=(clause,)))
    numbers = {spelt.number for spelt in where.clauses}
    hits = view.ranked(call, query, n, replace(ranking, where=where)).hits
    return sorted(hits, key=lambda hit: clause.exact and hit.chunk.chunk.tags.clause not in numbers)


def _names(view: View) -> Iterator[tuple[int, str]]:
    return ((row.id, f"{row.name} {row.label} {path_of(row.source_key)}") for row in view.documents())


def _headed_passages(
    view: View, call: Call, query: str, n: int, ranking: Ranking, candidates: Sequence[Hit]
) -> Sequence[Hit]:
    """Return the passages of the clause that a query names by its number and heading: "3.1 Claims", "WoT 3.1 Claims".

    Only documents with a candidate of that clause are searched: a question may have any number in it, or an "A".
    """
    for clause, words in headed_clauses(query):
        numbered = [hit.chunk for hit in candidates if is_numbered(hit.chunk.chunk.tags.numbers, clause)]
        names = dict(_names(view)) if numbered else {}
        headed = frozenset(
            stored.document_id
            for stored in numbered
            if is_headed((*stored.chunk.heading_path, *stored.chunk.tags.headings), words, names[stored.document_id])
        )
        if headed:
            among = replace(ranking, where=replace(ranking.where, documents=headed))
            return _in_order(_of_clause(view, call, query, n + REPEATED_PASSAGES, among, clause))
    return ()


def _in_order(hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return hits in the order of their documents' text, the document of the best one first."""
    documents = list(dict.fromkeys(hit.chunk.document_id for hit in hits))
    return sorted(hits, key=lambda hit: (documents.index(hit.chunk.document_id), hit.chunk.chunk.ordinal))


def _labelled_passages(view: View, call: Call, query: str, n: int, ranking: Ranking) -> Sequence[Hit]:
    """Return the passages with the label that a query consists of at their beginning, or in brackets: "[REQ-12]"."""
    label = named_label(query)
    if label is None:
        return ()
    typed = view.ranked(call, query, n + REPEATED_PASSAGES, replace(ranking, method=Method.KEYWORD)).hits
    labelled = [(match, hit) for hit in typed if (match := label.search(hit.chunk.chunk.text))]
    first = [hit for match, hit in labelled if _begins(hit.chunk.chunk, match)]
    first.sort(key=lambda hit: hit.chunk.chunk.tags.chunk_type not in _STATEMENTS)
    bracketed = [
        hit for match, hit in labelled if hit.chunk.chunk.text[match.start() - 1 : match.start()] in {"[", "("}
    ]
    return list({hit.chunk.id: hit for hit in [*first, *bracketed]}.values())


def _begins(chunk: Chunk, match: re.Match[str]) -> bool:
    """Return True if no letter is before a match in a chunk, the headings that it begins with left out."""
    start = chunk.embed_start if match.start() >= chunk.embed_start else 0
    return _LETTER.search(chunk.text, start, match.start()) is None


def _titled_passages(
    view: View, call: Call, query: str, n: int, ranking: Ranking, candidates: Sequence[Hit]
) -> Sequence[Hit]:
    """Return the passages of the section that a query asks for by its title; none if it names none, or many."""
    # Versions differ by a digit, which a vector hardly sees; other titles are among what was found.
    has_digit = any(map(str.isdigit, query))
    typed = view.ranked(call, query, n, replace(ranking, method=Method.KEYWORD)).hits if has_digit else ()
    titled = [
        (len(title), number, hit)
        for hit in [*candidates, *typed]
        for title, number in _titles_of(hit.chunk.chunk)
        if names_title(query, title)
    ]
    longest = max((length for length, _, _ in titled), default=0)
    of_title = [(number, hit) for length, number, hit in titled if length == longest]
    sections = {(hit.chunk.document_id, number or hit.chunk.breadcrumb): number for number, hit in of_title}
    if len(sections) != 1 or not any(sections.values()):
        hits = {hit.chunk.id: hit for _, hit in of_title}
        return list(hits.values()) if len(sections) <= MAX_TITLED_SECTIONS else []
    ((document, _), number) = next(iter(sections.items()))
    where = replace(ranking.where, documents=frozenset({document}))
    return _of_clause(view, call, query, n, replace(ranking, where=where), Clause(number, exact=True))


def _titles_of(chunk: Chunk) -> Iterator[tuple[str, str]]:
    """Yield the titles of the sections of a chunk, each with its own clause number, or without one."""
    own = chunk.tags.clause if _has_own_clause(chunk) else ""
    for heading in (chunk.heading, *chunk.tags.headings):
        numbered = ((without_number(heading, number), number) for number in chunk.tags.numbers)
        yield next(((title, number) for title, number in numbered if title != heading), (heading, own))


def _by_tokens(view: View, call: Call, result: RetrievalResult, query: str, n: int) -> Sequence[Hit]:
    """Return the hits with the clauses among the first n ordered token by token; others keep their rank.

    Hits are as they are where the model or the time allow no comparison. A window of a report is longer than a sentence
    of a clause, and has something near every word (decision 0077).
    """
    embedder, ranked = view.searcher.embedder.embedder, result.hits
    texts = {hit.chunk.id: text_to_embed(hit.chunk.chunk) for hit in ranked[:n] if _has_own_clause(hit.chunk.chunk)}
    if not texts or not isinstance(embedder, TokenEmbedder):
        return ranked
    new = [query] if result.query_tokens is None else []
    try:
        vectors = embedder.embed_tokens([*new, *texts.values()], call)
    except TimeoutExceeded:
        return ranked
    tokens, *passages = vectors if result.query_tokens is None else [result.query_tokens, *vectors]
    similarity = {chunk: token_similarity(tokens, vectors) for chunk, vectors in zip(texts, passages, strict=True)}
    return reordered(ranked, lambda hit: similarity.get(hit.chunk.id))


def _is_heading_alone(hit: Hit) -> bool:
    chunk = hit.chunk.chunk
    if chunk.tags.chunk_type in _STATEMENTS:
        return False
    # Plain text writes its headings without marks, or underlines them.
    return _HEADING_ALONE.fullmatch(chunk.text) is not None or _letters(chunk.text) == _letters(chunk.heading) != ""


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text)


def _only_names(hit: Hit) -> bool:
    """Return True for a heading without text, and for a part of the contents or of an index."""
    text = hit.chunk.chunk.text
    return _is_heading_alone(hit) or (hit.chunk.chunk.kind is not ChunkKind.TABLE and _is_contents(text))


def _is_contents(text: str) -> bool:
    """Return True for entries with dot leaders, and for a list of links within the page."""
    if "...." in text.replace(". ", ".") and len(_LEADER.findall(text)) >= MIN_LEADERS:
        return True
    rest, links = _OWN_LINK.subn("", text) if "](#" in text else (text, 0)
    return links >= MIN_LEADERS and len(_letters(rest)) < MAX_UNLINKED_SHARE * len(_letters(text))


def _has_no_letter(hit: Hit) -> bool:
    """Return True for a passage that says nothing; a table's numbers belong to its header, so that it is kept."""
    return hit.chunk.chunk.kind is not ChunkKind.TABLE and _LETTER.search(hit.chunk.chunk.text) is None


def _has_own_clause(chunk: Chunk) -> bool:
    """Return True if a chunk is of a clause, rather than of a part of the document that has a number."""
    return bool(chunk.tags.clause) and not is_inherited(chunk.tags.clause, chunk.heading_path)


def _clause_or_page(hit: Hit) -> tuple[str, str | int] | None:
    """Return the clause of a passage, else its page, else the part that it is in; None if it has none of them."""
    chunk = hit.chunk.chunk
    if chunk.pages and not _has_own_clause(chunk):
        return hit.chunk.document, chunk.pages[0]
    return (hit.chunk.document, chunk.tags.clause) if chunk.tags.clause else None


def passages(
    view: View, call: Call, query: str, result: RetrievalResult, *, by_word_alone: bool = False
) -> PassagesAnswer:
    """Return the answer of a search; if it found nothing, with what to try instead."""
    is_empty = not result.hits
    return PassagesAnswer(
        results=[passage_of(view, hit) for hit in result.hits],
        total=len(result.hits),
        query=query,
        search_type=result.search_type,
        message="No documents matched your query" if is_empty else None,
        suggestions=list(_suggestions(view, result, by_word_alone=by_word_alone)) if is_empty else None,
        relevance=None if result.relevance is None else round(result.relevance, 4),
        did_you_mean=result.did_you_mean,
        note=low_relevance(result),
        warnings=list(result.warnings) or None,
        partial=None if call.remaining() > 0 else True,
    )


def _suggestions(view: View, result: RetrievalResult, *, by_word_alone: bool) -> Sequence[str]:
    """Return what to try if nothing was found."""
    if not result.chunks:
        return empty_library(view)
    advice = _OTHER_WORDINGS if by_word_alone else _OTHER_WORDS
    if result.missing_phrases:
        return [f"No passage has {excerpts(list(result.missing_phrases))}: leave the quotation marks out.", advice]
    return [compared_words(result.keyword_reason) if result.keyword_reason else advice]


def compared_words(reason: str) -> str:
    """Return what to do where only words were compared, as the embedding model was not ready."""
    return f"Only words were compared: {reason} Ask again in a moment, or use other words."


def unknown_document(view: View, name: str) -> str:
    """Return that a document is not in the library, and the nearest that are; empty if it is."""
    known = [document.name for document in view.documents()]
    if name in known:
        return ""
    return f"There is no document {name!r}.{nearest_hint(name, known)}"


def standards(view: View, standard: str | None) -> list[str]:
    """Return what to try if no requirement was found."""
    if standard is None:
        return ["Use other words, or knowledge_search, which also finds guidance and examples."]
    known = [document.name for document in view.documents()]
    return [f"Documents of the library: {excerpts(known[:20])}."] if known else list(empty_library(view))


def empty_library(view: View) -> Sequence[str]:
    """Return what to do: bring here what a mirror holds, if it holds anything."""
    mirrored = view.searcher.mirrored
    return _EMPTY_LIBRARY if mirrored is None or not mirrored.problem else (mirrored.problem, *_EMPTY_LIBRARY)


def mirror_status(view: View) -> tuple[Literal["healthy", "degraded", "unavailable"], list[str] | None]:
    """Return whether the mirror is searched, and why not: `degraded` if it answers and does not hold this library."""
    mirrored = view.searcher.mirrored
    if mirrored is None or mirrored.legs(view.snapshot) is not None:
        return "healthy", None
    return "unavailable" if mirrored.is_down else "degraded", [f"{mirrored.problem} The library itself is searched."]
