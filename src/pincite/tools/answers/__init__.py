"""Response models, one module per toolset."""
