"""Follow a leader in formation."""
