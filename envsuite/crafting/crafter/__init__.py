"""Crafter: 22 achievements in a world of meadows, lakes, forests and mountains with caves."""
