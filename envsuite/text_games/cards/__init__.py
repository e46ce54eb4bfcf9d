"""The tasks of Gym-Cards: a number line, two games of reckoning with cards, and blackjack."""
