"""Reading files, with the cache of what was read.

Enters: the bytes of a file, and the pool of `formats/worker`.
Leaves: a `Document`, or pictures of its pages.
First: `reading`.
Free: size and form of the cache: a file of another form counts as damaged, and its document is read again.
Modules: cache, lines, reading.
"""
