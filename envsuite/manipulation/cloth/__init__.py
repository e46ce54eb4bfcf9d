"""A cloth with a hole, held at its corners: a task of HEPi (Hoang et al. 2025, arXiv 2502.07005)."""
