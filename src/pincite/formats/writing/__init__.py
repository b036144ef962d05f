"""Output of the readers: blocks as Markdown, tables, boxes, labels, and the document made of them."""
