"""What reads Markdown and names, for every layer above."""
