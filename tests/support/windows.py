"""The overlapping policy in the place of the one that serves folders."""

from pincite.chunking.windows import WindowPolicy
from pincite.registry import Plugin


def windows(max_tokens: int) -> WindowPolicy:
    return WindowPolicy(max_tokens, max_tokens // 4)


ROW = Plugin("sections", "support.windows:windows", parameters=(("max_tokens", "embedding.chunk_tokens"),))
