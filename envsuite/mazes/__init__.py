"""Mazes: a point mass, or a point, that has to reach goals between walls."""
