"""What readers make documents of: blocks as Markdown, tables, boxes, labels."""
