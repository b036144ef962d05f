"""REST over uploads of documents: send one, name it in calls of tools, delete it."""

from collections.abc import Mapping

import anyio.to_thread
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pincite.model.status import iso
from pincite.services.documents.uploads import SCHEME, DocumentUploads, KeptUpload
from pincite.services.tasks.base import Upload
from pincite.transports.http.exchange import Refused, exchange_of
from pincite.transports.http.receiving.uploads import FILE, Reception
from pincite.transports.http.rest.routes import ApiRoute, form, in_path

PATH, TAG = "/api/uploads", "documents"

_FORM = form({FILE: "The document."})
_IN_PATH = in_path("upload_id", description="`document_url` without `upload:`.")


class StoredUpload(BaseModel):
    """A document that was uploaded."""

    document_url: str = Field(description="Its name in calls of the tools, over REST and MCP.")
    name: str = Field(description="Its file name, and its name in citations.")
    size: int = Field(description="Its bytes.")
    expires_at: str = Field(description="When it is deleted at the latest.")


class UploadRoutes:
    """The routes over uploads of documents.

    Args:
        uploads: The uploads.
        seconds: Maximum wait for the next bytes of an upload.
    """

    def __init__(self, uploads: DocumentUploads, seconds: float) -> None:
        self._uploads = uploads
        self._seconds = seconds

    def routes(self) -> list[ApiRoute]:
        """Return the routes."""
        return [
            ApiRoute("POST", PATH, self.create, StoredUpload, 201, (400, 422, 429), TAG, _FORM),
            ApiRoute("DELETE", f"{PATH}/{{upload_id}}", self.delete, None, 204, (422, 429), TAG, _IN_PATH),
        ]

    async def create(self, request: Request) -> Response:
        """Upload a document; the answer has the `document_url` by which the tools read it."""
        _check_origin(request)
        reception: Reception[KeptUpload] = Reception(
            lambda _name, _head: self._uploads.begin(),
            request,
            max_bytes=self._uploads.max_bytes,
            seconds=self._seconds,
        )
        kept = await reception.receive(self._keep)
        stored = StoredUpload(document_url=kept.url, name=kept.name, size=kept.size, expires_at=iso(kept.expires_at))
        return JSONResponse(stored.model_dump(), 201)

    async def delete(self, request: Request) -> Response:
        """Delete an uploaded document."""
        _check_origin(request)
        url = SCHEME + request.path_params["upload_id"]
        await anyio.to_thread.run_sync(lambda: self._uploads.delete_upload(url))
        return Response(status_code=204)

    def _keep(self, upload: Upload, file_name: str, _: Mapping[str, str]) -> KeptUpload:
        return self._uploads.keep_upload(upload, file_name)


def _check_origin(request: Request) -> None:
    """Refuse a page of another machine: it may name public URLs only.

    Raises:
        Refused: One calls.
    """
    if exchange_of(request.scope).is_foreign:
        message = "A page of another machine may not upload here. Name its origin in CORS_ORIGINS, or set MCP_API_KEY."
        raise Refused(403, "AUTH_ERROR", message)
