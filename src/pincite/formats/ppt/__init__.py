"""PowerPoint 97 presentations (PPT)."""
