"""Land on a pad, which may move."""
