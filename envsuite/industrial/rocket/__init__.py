"""A rocket that comes back in the wind."""
