"""The shape and the current of a tokamak's plasma."""
