"""What a word, a line end and white space are, to all who read a text."""

import re

WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits, as the word index takes them."""

LINE_END = re.compile(r"\r\n?|\n")
"""The line ends of CommonMark; `str.splitlines` knows a dozen more."""

LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
"""The form of a BCP 47 tag, also with the underscores of POSIX."""

WHITE_SPACE = " \t\r\n"

DATA_URI_SCHEME = "data:"
