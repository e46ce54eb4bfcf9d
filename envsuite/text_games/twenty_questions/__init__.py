"""Twenty questions about one of 158 objects."""
