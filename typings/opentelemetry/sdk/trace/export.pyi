from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

class BatchSpanProcessor:
    def __init__(self, span_exporter: OTLPSpanExporter) -> None: ...
