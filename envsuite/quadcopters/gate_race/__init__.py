"""Race through gates."""
