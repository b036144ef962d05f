"""Form fields and comments.

Enters: an open page.
Leaves: typed text and fields at the page's end, comments as asides.
First: `annotations`.
Free: all of it.
Modules: annotations, form_fields, links.
"""
