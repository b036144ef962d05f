"""What of a question the word leg looks for."""

import pytest

from pincite.ranking.query import keyword_query


@pytest.mark.parametrize(
    ("text", "terms", "phrases"),
    [
        ("how do I reload the configuration", ("reload", "configuration"), ()),
        ("to be or not to be", ("to", "be", "or", "not"), ()),
        ('what is "scrape_interval"?', (), ("scrape_interval",)),
        ("use --web.config.file with v2.1", (), ("--web.config.file", "v2.1")),
        ("PromQL in prometheus.yml, please", (), ("PromQL", "prometheus.yml")),
        ("retry Retry retry", ("retry", "Retry"), ()),
        ("a metric's unit, Prometheus’s, who's it’s shouldn’t", ("metric", "unit", "Prometheus"), ()),
        ("", (), ()),
        ("  ?! ", (), ()),
    ],
)
def test_function_words_go_and_identifiers_become_phrases(
    text: str, terms: tuple[str, ...], phrases: tuple[str, ...]
) -> None:
    query = keyword_query(text)
    assert (query.terms, query.phrases) == (terms, phrases)


def test_a_very_long_question_is_bounded() -> None:
    query = keyword_query(" ".join(f"word{i}" for i in range(10_000)))
    assert len(query.terms) == 64
