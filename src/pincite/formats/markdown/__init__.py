"""Markdown (CommonMark, tables, front matter, HTML headings).

Enters: the text of a page.
Leaves: its blocks, and what its front matter says.
First: `reader`.
Free: all of it. `block_rules` must find the same blocks as markdown-it.
Modules: block_rules, front_matter, html_headings, outline, reader, yaml_mapping.
"""
