"""LMRL-Gym's maze: find the goal by moves in words, seeing where one is or only the walls around."""
