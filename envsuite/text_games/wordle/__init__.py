"""Wordle as LMRL-Gym has it: find a hidden word of five letters in six tries."""
