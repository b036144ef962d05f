"""Turn questions into queries, and rank candidates.

Enters: the words of a question, and scored candidates.
Leaves: a query, corrected words, fused scores, the relevance of an answer.
First: `query`.
Free: weights, with the evaluation of search (`pincite eval`); no module here knows a store. How words score is BM25,
    alike in all stores: `store/bm25`.
Modules: accounting, base, code_names, cross_encoder, diversity, fusion, highlight, keyword_weight, phrases, query,
    relevance, spelling, stopwords, synonyms, token_similarity.
"""
