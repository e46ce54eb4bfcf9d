"""The point mazes of OGBench."""
