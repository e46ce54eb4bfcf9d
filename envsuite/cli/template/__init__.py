"""ToyWorld: balance a pole on a cart."""
