"""Two agents on a small torus collect coins, one's own or the other's; see README.md."""
