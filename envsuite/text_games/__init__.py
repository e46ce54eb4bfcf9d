"""Text games: worlds in which language agents read, reckon and decide."""
