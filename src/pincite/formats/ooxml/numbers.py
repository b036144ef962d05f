"""How spreadsheets and charts show numbers."""

import re

GENERAL = ".15g"
"""Spreadsheets count with 15 decimal digits; more of them in a file are noise (`0.20399999999999999`)."""

DAY = re.compile(r"[yd]|mmm", re.IGNORECASE)
"""In a number format, what shows a day."""
