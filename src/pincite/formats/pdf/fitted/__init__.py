"""Decisions by fitted weights: trees over features of lines, as arrays.

Enters: features, as the module that asks computes them.
Leaves: a probability.
First: `trees`.
Free: weights, by fitting them again; features and weights change together.
Modules: trees.
"""
