"""Swarms with goals that stand still, jump, swap, swell or flee, among columns or not."""
