"""Suites of Meta-World: many tasks in one batch, with goals that are drawn once."""
