"""Short tasks that need one thing to be remembered: a bit, a turn, cards, a sequence of tiles, a dance."""
