"""The console scripts `pincite`, `knowledge-ingest` and `knowledge-mcp`, and `python -m pincite`."""

from pincite.runtime.garbage import collect_rarely


def main() -> None:
    """Run the command line; see `transports.cli.main`."""
    collect_rarely()  # before the imports, which are what garbage is sought in
    from pincite.transports.cli import main as run  # noqa: PLC0415

    run()


def knowledge_ingest() -> None:
    """Run `knowledge-ingest`; see `transports.cli.knowledge.ingest_main`."""
    collect_rarely()
    from pincite.transports.cli.knowledge import ingest_main  # noqa: PLC0415

    ingest_main()


def knowledge_mcp() -> None:
    """Run `knowledge-mcp`; see `transports.cli.knowledge.mcp_main`."""
    collect_rarely()
    from pincite.transports.cli.knowledge import mcp_main  # noqa: PLC0415

    mcp_main()


if __name__ == "__main__":
    main()
