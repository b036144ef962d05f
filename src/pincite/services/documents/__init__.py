"""Documents as the documents face shows them: text, tables, pictures, links.

Enters: a URL, an upload or a local path.
Leaves: the fetched bytes, the opened document and what is derived from it, from three caches.
First: `opening`.
Free: caches and estimates. Fields of answers are in `tools/answers`, what may be fetched in `sources/url`.
Modules: all_text, caches, derived, downloads, fetching, language, links, locations, opening, paging, pictures,
    retrieval_models, retrievers, size, tables, uploads.
"""
