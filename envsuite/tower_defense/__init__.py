"""Tower defense: Bulwark, five benchmark levels and levels made at random."""
