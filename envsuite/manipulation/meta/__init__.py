"""The fifty tasks of Meta-World (Yu et al. 2019, arXiv 1910.10897; McLean et al. 2025, metaworld 3.1.1)."""
