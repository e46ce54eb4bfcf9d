"""Datasets in other projects' formats."""
