"""The index: documents of a source in a store, refreshed and searched.

Enters: a source, a policy, an embedder and a store.
Leaves: a `Collection`: views to read, searches, states.
First: `collection`.
Free: how a search is planned. A tool reads through `view` only, and one view is one generation of the store.
Modules: cached, catalogue, citations, code_names, collection, collections, mirrors/, phrases, retriever, searcher,
    spans, stamps, status, titles, updating/, view, views.
"""
