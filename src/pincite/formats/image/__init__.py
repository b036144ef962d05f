"""Pictures (PNG, JPEG, GIF, TIFF, WebP, BMP)."""
