"""Household tasks after ALFWorld: fetch things, heat, cool, clean or slice them, and put them where they belong."""
