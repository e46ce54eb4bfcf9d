"""Relations among people and things: questions about families and graphs, sorting, paths, and towers of blocks."""
