"""`pincite`, and `python -m pincite`."""

from pincite.runtime.garbage import collect_rarely


def main() -> None:
    """Run the command line; see `transports.cli.main`."""
    collect_rarely()
    from pincite.transports.cli import main as run  # noqa: PLC0415  # its imports are what garbage is sought in

    run()


if __name__ == "__main__":
    main()
