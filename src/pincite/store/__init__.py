"""Stores: rows, words and vectors of one collection."""
