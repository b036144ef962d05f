"""The engine `claude`: a model that searches and reads a document with four tools, whatever runs it."""
