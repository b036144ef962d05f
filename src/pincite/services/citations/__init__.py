"""Citations as people paste, open and check them.

Enters: a reference or a quote, and the view of a collection.
Leaves: verdicts, page boxes, links and the text to paste.
First: `verification`.
Free: texts of citations that no contract gives; how a quote is matched is in `evidence`.
Modules: annotations, bibliography, page_boxes, page_links, quotations, text, verification.
"""
