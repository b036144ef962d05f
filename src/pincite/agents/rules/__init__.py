"""The engine without a model: labels of the schema are matched with labels of the document."""
