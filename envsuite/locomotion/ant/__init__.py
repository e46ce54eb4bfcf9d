"""A four-legged body."""
