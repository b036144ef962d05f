"""Quotation marks of many languages, without single ones, which are apostrophes, too."""

CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』"}
"""What ends a quotation, by what begins it."""

MARKS = "".join(dict.fromkeys("".join((*CLOSING, *CLOSING.values()))))
"""Every mark once."""
