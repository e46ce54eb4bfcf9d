"""Worlds, creatures and the order of a step as in Craftax-Classic 1.6.1 (Matthews et al. 2024, arXiv 2402.16801)."""
