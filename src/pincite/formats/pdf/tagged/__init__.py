"""Pages whose structure is in the file: its structure tree.

Enters: the structure tree of a page, and its words.
Leaves: blocks in the tree's order, or the verdict that its tags cannot be trusted.
First: `pages`.
Free: roles and repairs of tags; a page that is not trusted is read by `layout`.
Modules: blocks, code, pages, structure, tables, trust.
"""
