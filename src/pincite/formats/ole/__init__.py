"""OLE compound files: the streams of DOC and PPT files, and their document properties."""
