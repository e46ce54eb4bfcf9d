"""Players of environments."""
