"""Uploads, received as they arrive.

Enters: a multipart body.
Leaves: a file on the disk and the other fields, or nothing of either.
First: `uploads`.
Free: the parser: nothing else knows the format of a body.
Modules: multipart, uploads.
"""
