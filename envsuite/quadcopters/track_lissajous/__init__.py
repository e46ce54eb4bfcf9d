"""Track Lissajous curves."""
