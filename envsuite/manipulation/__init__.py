"""Manipulation: arms that reach, push, pick and place; grippers without arms that move ropes and cloths."""
