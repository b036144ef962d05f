"""Format detection and text decoding.

Enters: the first bytes of a file, its name and its media type.
Leaves: the row of its format, its text without a wrong encoding, or a safely opened picture.
First: `sniff`.
Free: signatures and guesses of encodings. Names of formats are in `registry`.
Modules: decode, picture, signature, sniff.
"""
