"""Documents at URLs: which may be fetched, and how one is transferred.

Enters: a URL and limits.
Leaves: the bytes, their name and media type; never from an address that is not allowed.
First: `transfer`.
Free: redirects and encodings, but not the order in `connection`: resolve, check, connect in one step.
Modules: addresses, connection, locations, names, transfer.
"""
