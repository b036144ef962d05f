"""The answers of toolsets, shaped: one file per toolset whose answers are many."""
