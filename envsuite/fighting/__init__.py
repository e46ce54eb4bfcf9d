"""Duel: an original fighting game of twelve characters, against a computer player or another agent."""
