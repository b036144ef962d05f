"""`pincite`, and `python -m pincite`."""

import gc

COLLECTED_OBJECTS = 20_000
"""New objects after which Python looks for garbage among them. With its own 700 a start looks 240 times through what it
imports, which lives until the end: 6 % of the time to the first answer."""


def main() -> None:
    """Run the command line; see `transports.cli.main`."""
    gc.set_threshold(COLLECTED_OBJECTS)
    from pincite.transports.cli import main as run  # noqa: PLC0415  # imported after the threshold is set

    run()


if __name__ == "__main__":
    main()
