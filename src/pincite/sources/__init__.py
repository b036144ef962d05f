"""Where documents come from, and how changes are noticed.

Enters: a folder, a library's list of files, or a cache of downloads.
Leaves: names with states, bytes, and which names may have changed.
First: `base`.
Free: how changes are watched: a missed one must be found by the next walk. Ignore rules are git's.
Modules: base, changes, folder, ignore, inotify, library, mounts, paths, patterns, rulebook, unwatched, url/, walk.
"""
