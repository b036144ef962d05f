"""Spans of OpenTelemetry. Imported only if PINCITE_TRACING is set: its SDK is an extra."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from pincite.version import __version__


class Spans:
    """A span for each tool call, sent to OTEL_EXPORTER_OTLP_ENDPOINT, with the spans of the MCP SDK."""

    def __init__(self) -> None:
        # Who embeds the server may have chosen a provider; the SDK of MCP knows the global one alone.
        if not isinstance(trace.get_tracer_provider(), TracerProvider):
            provider = TracerProvider(
                resource=Resource.create({"service.name": "pincite", "service.version": __version__})
            )
            provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
            trace.set_tracer_provider(provider)
        self._tracer = trace.get_tracer("pincite", __version__)

    @contextmanager
    def watch(self, tool: str, request_id: str) -> Generator[Callable[[str], None]]:
        """See `Observer.watch`."""
        attributes = {"gen_ai.tool.name": tool, "pincite.request_id": request_id}
        # Messages of errors may have words of a document or a question: the code alone is recorded.
        with self._tracer.start_as_current_span(
            f"execute_tool {tool}", attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:

            def failed(code: str) -> None:
                span.set_attribute("error.type", code)
                span.set_status(trace.StatusCode.ERROR)

            yield failed
