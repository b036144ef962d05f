"""Rows for the tables of pincite; the parts themselves are imported at their first use."""

from pincite.registry import EmbedderRow, Format, Plugin, ToolsetRow

FORMAT = Format("ini", (".ini", ".cfg"), ("text/x-ini",), "pincite_ini.reader:read", text=True)
POLICY = Plugin("blocks", "pincite_ini.policy:BlockPolicy", parameters=(("max_tokens", "embedding.chunk_tokens"),))
EMBEDDER = EmbedderRow("letters", "pincite_ini.embedder:build", section="embedding")
TOOLSET = ToolsetRow("counting", "pincite_ini.toolset:CountingToolset", needs=("folder",))
