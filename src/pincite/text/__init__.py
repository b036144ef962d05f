"""Text operations that every layer shares: folding, Markdown markup, globs, paths, excerpts."""
