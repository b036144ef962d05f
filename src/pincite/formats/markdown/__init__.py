"""Markdown (CommonMark, tables, front matter, HTML headings)."""
