"""`python -m pincite`."""

from pincite.transports.cli import main

if __name__ == "__main__":
    main()
