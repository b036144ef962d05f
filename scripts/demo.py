"""`make demo`: pincite's own user guide is indexed and asked three questions, with the commands that a user types."""

import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[1] / "docs" / "guide"
QUESTIONS = (
    "Is a file that I edited a moment ago in the answer?",
    "Which files are skipped?",
    "How do I use it on a machine without network?",
)
PINCITE = (sys.executable, "-m", "pincite")


def main() -> int:
    """Ask, print the cited answers, and say how to connect a client.

    Returns:
        The exit code of the first command that failed, else 0.
    """
    for question in QUESTIONS:
        print(f"\n=== {question}\n", flush=True)
        asked = subprocess.run([*PINCITE, "search", question, "--docs", GUIDE, "--top-k", "1"], check=False)
        if asked.returncode:
            return asked.returncode
    print("=== To ask such questions from Claude Code, run the last line below in your project:\n", flush=True)
    return subprocess.run([*PINCITE, "connect", "claude-code", GUIDE], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
