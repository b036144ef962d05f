"""The arguments of toolsets whose tools share them."""
