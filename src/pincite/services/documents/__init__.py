"""Documents as the documents face shows them: text, tables, pictures, links."""
