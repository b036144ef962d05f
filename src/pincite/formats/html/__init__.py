"""HTML and XHTML pages (WHATWG HTML, parsed by lexbor)."""
