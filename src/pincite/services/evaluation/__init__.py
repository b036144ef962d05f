"""Retrieval quality on questions with known answers.

Enters: a dataset, and rankers over a collection; or documents with their values.
Leaves: metrics with intervals, regressions against a baseline.
First: `run`.
Free: all of it; numbers of two versions compare only if metrics and seeds stay.
Modules: baseline, datasets, field_scores, labelled, metrics, misspelling, rankers, run, targets.
"""
