"""What the contract tests of pincite run the parts of this package with."""

SAMPLE = b"[network]\nport = 8080\n[disk]\nquota = 5\n"


def parameters(limit: int) -> dict[str, int]:
    """Parameters with which no chunk has more tokens than a limit."""
    return {"max_tokens": limit}
