"""A body with arms and legs."""
