"""Which format a file has, and the text of bytes."""
