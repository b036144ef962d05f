"""Documents at URLs: which may be fetched, and how one is transferred."""
