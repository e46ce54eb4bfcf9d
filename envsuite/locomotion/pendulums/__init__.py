"""One pole and two poles on a cart."""
