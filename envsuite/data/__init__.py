"""Datasets: recipes that regenerate them bit for bit, a memory-mapped store, loaders, checks, and exchange formats."""

from envsuite.data.dataset import Dataset, load
from envsuite.data.generation import generate
from envsuite.data.recipes import Recipe, load_recipe, recipe_ids
from envsuite.data.validate import verify

__all__ = ["Dataset", "Recipe", "generate", "load", "load_recipe", "recipe_ids", "verify"]
