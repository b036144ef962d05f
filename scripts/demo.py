"""`make demo`: pincite's own user guide is indexed and asked three questions, with the command that a user types.

The README shows what this prints; `make record` writes it there.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDE = Path("docs", "guide")
QUESTIONS = (
    "Does a citation stay valid if the document changes?",
    "What happens if the disk is full?",
    "How do I set it up in Cursor?",
)
PINCITE = Path(".venv", "bin", "pincite")
NEXT = f"""\
=== Now your own documents, from the shell and from Claude Code:

{PINCITE} search "your question" --docs /path/to/your/docs
{PINCITE} connect claude-code /path/to/your/docs --write"""


def main() -> int:
    """Ask, print the cited answers, and say how to go on.

    Returns:
        The exit code of the first command that failed, else 0.
    """
    for question in QUESTIONS:
        arguments = ("search", question, "--docs", str(GUIDE), "--top-k", "1")
        print(f'=== pincite search "{question}" --docs {GUIDE} --top-k 1\n', flush=True)
        asked = subprocess.run([sys.executable, "-m", "pincite", *arguments], cwd=ROOT, check=False)
        if asked.returncode:
            return asked.returncode
    print(NEXT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
