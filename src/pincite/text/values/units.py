"""Units of measurement."""

UNITS = (
    r"(?:[kMGTmµμnp]?(?:VA|Vdc|Vac|V|Ah|A|Wh|Wp|W|var|Hz|Ω|ohm|F|H|bar|Pa|m|g|s|l|L|B)"
    r"|dB(?:\(A\)|m)?|°\s?[CF]|℃|%|kVAR|kvar|rpm|cm|mm|kg)"
)
"""As a regular expression."""
