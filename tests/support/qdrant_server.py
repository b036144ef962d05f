"""A server on loopback that speaks Qdrant's REST protocol, over the local mode of Qdrant's own client.

The wire is real (requests, keys, statuses, faults), the search is the client's exact one: no HNSW, no payload index.
"""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models
from qdrant_client.local.qdrant_local import QdrantLocal


@dataclass
class QdrantServer:
    """The running server.

    Attributes:
        key: The key that every request must have; empty for none.
        fault: Returns the status to fail a request with, given its method; None to answer it.
        requests: Method and path of every request.
    """

    url: str
    client: QdrantClient
    key: str = ""
    fault: Callable[[str], int | None] | None = None
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def points(self, collection: str = "se_knowledge_base") -> list[models.Record]:
        """Every point with its payload."""
        return self.client.scroll(collection, limit=10_000, with_payload=True, with_vectors=True)[0]


@contextmanager
def qdrant_server(key: str = "", port: int = 0, client: QdrantClient | None = None) -> Generator[QdrantServer]:
    """Run a server; with a client, it goes on with what that one holds."""
    local = client or QdrantClient(":memory:", force_disable_check_same_thread=True)
    listener = _Listener(("127.0.0.1", port), _Handler)
    server = listener.state = QdrantServer(f"http://127.0.0.1:{listener.server_port}", local, key)
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    state: QdrantServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        assert isinstance(self.server, _Listener)
        server = self.server.state
        path = self.path.partition("?")[0]
        length = int(self.headers.get("content-length", 0))
        body: dict[str, Any] = json.loads(self.rfile.read(length)) if length else {}
        server.requests.append((self.command, path))
        if server.fault and (status := server.fault(self.command)):
            self._answer(status, {"status": {"error": "a fault of this test"}, "time": 0.0})
        elif server.key and self.headers.get("api-key") != server.key:
            self._answer(401, {"status": {"error": "Must provide an API key"}, "time": 0.0})
        else:
            try:
                with server.lock:
                    result = _result(server.client, self.command, path.strip("/").split("/"), body)
            except ValueError as error:
                status = 404 if "not found" in str(error) else 409 if "already exists" in str(error) else 400
                self._answer(status, {"status": {"error": str(error)}, "time": 0.0})
            else:
                self._answer(200, {"result": result, "status": "ok", "time": 0.001})

    do_GET = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815 - by its base class

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - by its base class
        del format, args


_DONE = {"operation_id": 1, "status": "completed"}


def _result(client: QdrantClient, method: str, path: list[str], body: dict[str, Any]) -> Any:  # noqa: PLR0911 - one a request
    name = path[1]
    match (method, *path[2:]):
        case ("GET",):
            return _info(client, name)
        case ("DELETE",):
            return client.delete_collection(name)
        case ("PUT",):
            asked = models.CreateCollection.model_validate(body)
            client.create_collection(name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors)
            return True
        case ("PUT", "index"):
            models.CreateFieldIndex.model_validate(body)
            client.get_collection(name)
            return _DONE
        case ("PUT", "points"):
            points = models.PointsList.model_validate(body).points
            client.upsert(name, points)
            return _DONE
        case ("POST", "points"):
            asked = models.PointRequest.model_validate(body)
            records = client.retrieve(name, asked.ids, asked.with_payload or False, asked.with_vector or False)
            return [_plain(record) for record in records]
        case ("POST", "points", "delete"):
            client.delete(name, models.FilterSelector.model_validate(body))
            return _DONE
        case ("POST", "points", "scroll"):
            asked = models.ScrollRequest.model_validate(body)
            records, offset = client.scroll(
                name,
                asked.filter,
                asked.limit or 10,
                None,
                asked.offset,
                asked.with_payload or False,
                asked.with_vector or False,
            )
            return {"points": [_plain(record) for record in records], "next_page_offset": offset}
        case ("POST", "points", "query"):
            asked = models.QueryRequest.model_validate(body)
            found = client.query_points(
                name,
                asked.query.nearest if isinstance(asked.query, models.NearestQuery) else asked.query,  # pyright: ignore[reportArgumentType]
                using=asked.using,
                query_filter=asked.filter,
                limit=asked.limit or 10,
                with_payload=asked.with_payload or False,
            )
            return {"points": [_plain(point) for point in found.points]}
        case _:
            raise ValueError(f"no such request here: {method} {'/'.join(path)}")


def _plain(point: models.Record | models.ScoredPoint) -> dict[str, Any]:
    return point.model_dump(mode="json")


def _info(client: QdrantClient, name: str) -> dict[str, Any]:
    local = client._client  # pyright: ignore[reportPrivateUsage]
    assert isinstance(local, QdrantLocal)
    return local.get_collection(name).model_dump(mode="json")
