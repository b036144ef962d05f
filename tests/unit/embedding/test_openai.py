"""The embedder of OpenAI and compatible services, against a service on loopback that fails in every way."""

import logging
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from unittest.mock import Mock

import numpy as np
import pytest

from pincite.embedding.openai import MAX_RETRY_AFTER_SECONDS, OpenAiEmbedder
from pincite.errors import (
    AuthError,
    Cancelled,
    ConfigError,
    ConnectionFailed,
    InternalError,
    InvalidInput,
    PinciteError,
    RateLimited,
    TimeoutExceeded,
)
from pincite.model.call import Call
from support.embedding_service import (
    DIMENSIONS,
    EmbeddingService,
    Fault,
    Reply,
    always,
    embedding_service,
    failing,
    in_turn,
)

pytest.importorskip("openai", reason="needs the extra openai")

KEY = "sk-a-key-of-this-test-0123456789"
MODEL = "text-embedding-3-small"
QUICK = (0.001, 0.001, 0.001)


@pytest.fixture(scope="module")
def running() -> Iterator[EmbeddingService]:
    with embedding_service() as running:
        yield running


@pytest.fixture
def service(running: EmbeddingService) -> EmbeddingService:
    """The service as it is before its first request."""
    running.requests.clear()
    running.keys.clear()
    running.fault, running.as_text = (lambda _: None), False
    return running


SILENT = "silent"


def embedder_of(
    service: EmbeddingService, *, batch_size: int = 100, dimensions: int = DIMENSIONS, name: str = ""
) -> OpenAiEmbedder:
    """An embedder that waits long, but for a service whose fault is that it is silent."""
    return made(service.url, batch_size, dimensions, 1.5 if name == SILENT else 60.0)


@cache
def made(url: str, batch_size: int, dimensions: int, seconds: float) -> OpenAiEmbedder:
    """One for all tests: its client takes 0.3 s to make."""
    return OpenAiEmbedder(
        MODEL,
        dimensions,
        key=KEY,
        base_url=url,
        batch_size=batch_size,
        retry_seconds=QUICK,
        query_seconds=seconds,
        batch_seconds=seconds,
    )


def leaving(call: Call, reply: Reply) -> Fault:
    """Answer this, and cancel the call meanwhile."""

    def fault(_: Sequence[str]) -> Reply:
        call.stop.set()
        return reply

    return fault


def test_texts_are_sent_in_batches_and_come_back_in_order(service: EmbeddingService) -> None:
    texts = [f"passage {n}" for n in range(7)]
    vectors = embedder_of(service, batch_size=3).embed(texts, Call())
    assert service.batches == [3, 3, 1]
    assert service.keys == [f"Bearer {KEY}"] * 3
    assert {body["model"] for body in service.requests} == {MODEL}
    alone = embedder_of(service).embed_query("passage 4")
    assert vectors[4].tobytes() == alone.tobytes()


def test_a_request_is_limited_by_tokens_too(service: EmbeddingService) -> None:
    long = "word " * 30_000
    embedder_of(service).embed([long, long, long, "short"], Call())
    assert service.batches == [2, 2]
    service.requests.clear()
    embedder_of(service).embed(["x" * 250_000, "x" * 250_000], Call())
    assert service.batches == [1, 1]


def test_a_service_may_answer_with_numbers(service: EmbeddingService) -> None:
    expected = embedder_of(service).embed_query("zebra")
    service.as_text = True
    assert embedder_of(service).embed_query("zebra").tobytes() == expected.tobytes()


def test_shorter_vectors_are_requested_only_of_who_has_them(service: EmbeddingService) -> None:
    embedder_of(service).embed_query("zebra")
    short = OpenAiEmbedder(MODEL, 256, key=KEY, base_url=service.url, requested_dimensions=256)
    assert short.embed_query("zebra").shape == (256,)
    assert [body.get("dimensions") for body in service.requests] == [None, 256]


FAULTS = {
    "401": (failing(401, f"Incorrect API key provided: {KEY}."), AuthError, 1),
    "403": (failing(403, "Country not supported."), AuthError, 1),
    "404": (failing(404, "The model does not exist.", "model_not_found"), ConfigError, 1),
    "429 quota": (failing(429, "You exceeded your current quota.", "insufficient_quota"), RateLimited, 1),
    "429 rate": (failing(429, "Slow down.", "rate_limit_exceeded"), RateLimited, 4),
    "500": (failing(500), InternalError, 4),
    "503": (failing(503), InternalError, 4),
    "dropped": (Reply(0), ConnectionFailed, 4),
    SILENT: (Reply(delay=4.0), TimeoutExceeded, 4),
    "no JSON": (Reply(body=b"<html>a proxy</html>"), InternalError, 4),
    "other JSON": (Reply(body=b'{"data": 3}'), InternalError, 4),
    "no vectors": (Reply(body=b'{"object": "list", "data": []}'), InternalError, 4),
    "no base64": (
        Reply(body=b'{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": "A"}]}'),
        InternalError,
        4,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_has_its_error_and_its_retries(
    service: EmbeddingService, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    reply, error, requests = FAULTS[name]
    service.fault = always(reply)
    with caplog.at_level(logging.WARNING), pytest.raises(error) as raised:
        embedder_of(service, name=name).embed(["zebra"], Call())
    assert type(raised.value) is error
    assert len(service.requests) == requests
    retries = [record for record in caplog.records if record.getMessage() == "retry_attempt"]
    assert [record.__dict__["attempt"] for record in retries] == list(range(1, requests))
    shown = f"{raised.value.message} {raised.value.details} {[record.__dict__ for record in caplog.records]}"
    assert KEY not in shown


@pytest.mark.parametrize("name", [name for name, (_, _, requests) in FAULTS.items() if requests > 1])
def test_a_fault_that_passes_is_not_noticed(service: EmbeddingService, name: str) -> None:
    expected = embedder_of(service).embed_query("zebra")
    service.fault = in_turn(FAULTS[name][0], FAULTS[name][0])
    assert embedder_of(service, name=name).embed_query("zebra").tobytes() == expected.tobytes()


def test_a_used_up_quota_points_at_the_billing_page(service: EmbeddingService) -> None:
    service.fault = always(FAULTS["429 quota"][0])
    with pytest.raises(RateLimited, match=r"https://platform\.openai\.com/\S*billing"):
        embedder_of(service).embed_query("zebra")


def test_a_service_that_is_not_there_is_a_connection_that_failed() -> None:
    with embedding_service() as service:
        gone = embedder_of(service)
        gone.load(Call())
    assert gone.is_loaded
    with pytest.raises(ConnectionFailed, match="OPENAI_BASE_URL"):
        gone.embed_query("zebra")


def test_the_one_text_that_is_refused_has_no_vector_and_the_others_have(
    service: EmbeddingService, caplog: pytest.LogCaptureFixture
) -> None:
    service.fault = lambda texts: failing(400, "Too long.") if "bad" in texts else None
    texts = ["a", "b", "bad", "c", "d"]
    with caplog.at_level(logging.WARNING):
        vectors = embedder_of(service).embed(texts, Call())
    assert [bool(vector.any()) for vector in vectors] == [True, True, False, True, True]
    (record,) = (record for record in caplog.records if record.getMessage() == "embedding_refused")
    assert record.__dict__["code"] == "invalid_input" and "Too long." in record.__dict__["problem"]


def test_a_refused_question_is_an_invalid_input(service: EmbeddingService) -> None:
    service.fault = lambda texts: failing(400, "Too long.") if "zebra" in texts else None
    with pytest.raises(InvalidInput, match="Too long"):
        embedder_of(service).embed_query("zebra")


def test_a_service_that_refuses_every_text_is_a_fault_of_the_settings(service: EmbeddingService) -> None:
    service.fault = always(failing(400, "Unknown parameter: dimensions."))
    with pytest.raises(ConfigError, match=r"refuses every text\..*EMBEDDING_DIMENSIONS"):
        embedder_of(service, batch_size=7).embed(["a", "b"], Call())
    with pytest.raises(ConfigError, match="refuses every text"):
        embedder_of(service, batch_size=7).embed_query("a")


def test_other_dimensions_name_the_setting(service: EmbeddingService) -> None:
    with pytest.raises(ConfigError, match=r"1536 dimensions instead of 512\..*EMBEDDING_DIMENSIONS=1536"):
        embedder_of(service, dimensions=512).embed(["a"], Call())


@pytest.mark.parametrize("value", [0.0, np.inf, np.nan], ids=str)
def test_a_vector_without_a_length_is_refused(service: EmbeddingService, value: float) -> None:
    numbers = ",".join([str(value).replace("nan", "NaN").replace("inf", "Infinity")] * DIMENSIONS)
    body = f'{{"object": "list", "data": [{{"object": "embedding", "index": 0, "embedding": [{numbers}]}}]}}'
    service.fault = always(Reply(body=body.encode()))
    with pytest.raises(InternalError):
        embedder_of(service).embed_query("zebra")


@pytest.mark.parametrize("written", ["0.2", "date"])
def test_retry_after_is_honoured(service: EmbeddingService, written: str) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=2)
    value = format_datetime(moment, usegmt=True) if written == "date" else written
    service.fault = in_turn(failing(429, Retry_After=value))
    stop = Mock(wraps=threading.Event())
    embedder_of(service).embed(["zebra"], Call(stop=stop))
    least, most = (0.2, 0.2) if written == "0.2" else (0.5, 2.0)
    assert any(least <= waited.args[0] <= most for waited in stop.wait.call_args_list)


def test_a_pause_that_is_too_long_is_left_to_the_caller(service: EmbeddingService) -> None:
    service.fault = always(failing(429, Retry_After=str(MAX_RETRY_AFTER_SECONDS * 10)))
    with pytest.raises(RateLimited) as raised:
        embedder_of(service).embed_query("zebra")
    assert raised.value.retry_after == MAX_RETRY_AFTER_SECONDS * 10
    assert len(service.requests) == 1


def test_a_header_that_is_no_time_is_ignored(service: EmbeddingService) -> None:
    service.fault = in_turn(failing(429, Retry_After="soon"))
    assert embedder_of(service).embed_query("zebra").any()


def test_a_cancelled_call_leaves_a_silent_service(service: EmbeddingService) -> None:
    slow = OpenAiEmbedder(MODEL, DIMENSIONS, key=KEY, base_url=service.url, batch_seconds=60.0)
    call = Call()
    service.fault = leaving(call, Reply(delay=60.0))
    with pytest.raises(Cancelled):
        slow.embed(["zebra"], call)


def test_a_cancelled_call_leaves_a_pause(service: EmbeddingService) -> None:
    patient = OpenAiEmbedder(MODEL, DIMENSIONS, key=KEY, base_url=service.url, retry_seconds=(60.0,))
    call = Call()
    service.fault = leaving(call, failing(500))
    with pytest.raises(Cancelled):
        patient.embed(["zebra"], call)
    assert len(service.requests) == 1


def test_a_service_without_keys_gets_none(service: EmbeddingService) -> None:
    OpenAiEmbedder("nomic-embed-text", DIMENSIONS, base_url=service.url).embed_query("zebra")
    assert service.keys == ["Bearer none"]


def test_a_key_is_in_no_text_of_the_embedder(service: EmbeddingService) -> None:
    embedder = embedder_of(service)
    assert KEY not in f"{embedder!r} {embedder.identity}"
    service.fault = always(failing(500, f"Internal: {KEY}"))
    with pytest.raises(PinciteError) as raised:
        embedder.embed_query("zebra")
    assert KEY not in raised.value.details
