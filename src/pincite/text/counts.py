"""Numbers of things in sentences for people."""


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 chunk`, `2,000 chunks`.

    Args:
        count: The number.
        noun: In the singular; its plural ends in `s`.
    """
    return f"{count:,} {noun if count == 1 else f'{noun}s'}"
