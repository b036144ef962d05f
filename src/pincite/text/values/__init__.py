"""Read and write values as documents write them: numbers, quantities, ranges, dates, booleans.

Enters: a text, and the type that is wanted.
Leaves: a value, or none; never a guess between two readings.
First: `tokens`.
Free: add a notation, a unit or a language in its module; evidence and the engine `rules` read by the same functions.
Modules: booleans, dates, formatting, tokens, units.
"""
