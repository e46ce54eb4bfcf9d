"""Guess one of 99 cities by open questions."""
