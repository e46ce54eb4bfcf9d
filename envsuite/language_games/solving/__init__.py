"""Exact solutions: whole games unfolded, values, best responses, equilibria."""
