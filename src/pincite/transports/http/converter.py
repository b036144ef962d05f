"""The converter on HTTP: a document in, Markdown out, by the protocol of contract 3."""

from dataclasses import asdict

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pincite.errors import PinciteError
from pincite.model.task import Task
from pincite.services.conversion.service import ConversionService
from pincite.settings import Http
from pincite.transports.http.answers import crashed, failed
from pincite.transports.http.exchange import Refused
from pincite.transports.http.guarding.guard import Guard, Tenant, access_keys
from pincite.transports.http.guarding.limiter import RateLimiter
from pincite.transports.http.receiving.uploads import Reception
from pincite.version import __version__

PATH = "/tasks"


def build_converter_app(service: ConversionService, http: Http) -> Guard:
    """Return the converter as an ASGI application, behind the guard of every HTTP surface."""
    routes = ConverterRoutes(service, http.request_timeout)
    served = Starlette(
        routes=[
            Route("/health", routes.health, methods=["GET"]),
            Route(PATH, routes.create, methods=["POST"]),
            Route(f"{PATH}/{{task_id}}", routes.state, methods=["GET"]),
            Route(f"{PATH}/{{task_id}}/files/{{name}}", routes.file, methods=["GET"]),
        ]
    )
    for kind in (PinciteError, Refused, HTTPException):
        served.add_exception_handler(kind, failed)
    served.add_exception_handler(Exception, crashed)
    tenants = {key: Tenant(served, RateLimiter(key.rate_limit)) for key in access_keys(http)}
    return Guard(Tenant(served, RateLimiter(http.rate_limit)), http, tenants)


class ConverterRoutes:
    """The routes of the converter.

    Args:
        service: Converts.
        seconds: Maximum wait for the next bytes of an upload.
    """

    def __init__(self, service: ConversionService, seconds: float) -> None:
        self._service = service
        self._seconds = seconds

    async def health(self, _: Request) -> Response:
        """Say that the converter serves; needs no key and is not limited."""
        return JSONResponse({"status": "ok", "version": __version__})

    async def create(self, request: Request) -> Response:
        """Upload a document; the answer names its conversion."""
        service = self._service
        reception: Reception[Task] = Reception(
            service.begin, request, max_bytes=service.max_bytes, seconds=self._seconds
        )
        task = await reception.receive(service.submit)
        return JSONResponse({"task_id": task.id}, 202, {"location": f"{PATH}/{task.id}"})

    async def state(self, request: Request) -> Response:
        """Return the state of a conversion."""
        task_id = request.path_params["task_id"]
        conversion = await anyio.to_thread.run_sync(self._service.conversion, task_id)
        return JSONResponse({"task_id": task_id, **asdict(conversion)})

    async def file(self, request: Request) -> Response:
        """Return the Markdown of a complete conversion."""
        given = request.path_params
        text = await anyio.to_thread.run_sync(self._service.output, given["task_id"], given["name"])
        return Response(text.encode("utf-8", "replace"), media_type="text/markdown")
