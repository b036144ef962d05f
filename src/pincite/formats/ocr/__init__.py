"""Recognition of the text in pictures (OCR)."""
