"""Content of an open page: characters, words, ruling lines, and which words are visible."""
