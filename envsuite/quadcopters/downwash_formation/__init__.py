"""Fly above and below one another in spite of the downwash."""
