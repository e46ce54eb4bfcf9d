"""Siemens' Industrial Benchmark: a plant that wears, costs, and answers late."""
