"""Routes that OpenAPI describes, and applications that are built at their first request."""

import subprocess
import sys

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Router
from starlette.testclient import TestClient

from pincite.transports.http.rest.routes import ApiRoute, Later


class Box(BaseModel):
    """A box."""

    width: int


async def box(request: Request) -> Response:
    """Return a box."""
    return JSONResponse({"width": int(request.path_params["width"])})


WIDTH = {"parameters": [{"name": "width", "in": "path", "required": True, "schema": {"type": "integer"}}]}
BOXES = ApiRoute("POST", "/boxes/{width}", box, Box, 201, (404,), "boxes", WIDTH)


def test_a_route_answers_its_method_alone() -> None:
    client = TestClient(Starlette(routes=[BOXES.route()]))
    assert client.post("/boxes/3").json() == {"width": 3}
    assert client.get("/boxes/3").status_code == 405


def test_what_comes_later_is_built_once_at_the_first_request() -> None:
    built: list[Router] = []

    def build() -> Router:
        built.append(Router([BOXES.route()]))
        return built[-1]

    client = TestClient(Starlette(routes=[Mount("/later", Later(build))]))
    assert not built
    assert [client.post("/later/boxes/1").status_code for _ in range(2)] == [200, 200]
    assert len(built) == 1


def test_a_server_starts_without_what_only_answers_need() -> None:
    code = "import sys, pincite.transports.http.app\nprint('pincite.evidence' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
