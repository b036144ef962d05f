"""The toolsets that agents see."""
