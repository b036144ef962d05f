"""Where documents come from, and how changes are noticed.

Enters: a folder, a library's list of files, or a cache of downloads.
Leaves: names with states, bytes, and which names may have changed.
First: `base`.
Free: how changes are watched: a missed one must be found by the next walk. Ignore rules are git's; folders that are
    never read, and which files are served at all: `exclusions`.
Modules: base, changes, exclusions, folder, ignore, inotify, library, mounts, paths, patterns, unwatched, url/, walk.
"""
