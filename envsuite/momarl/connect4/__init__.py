"""Connect four: four in a row, soon, and more tokens in every column."""
