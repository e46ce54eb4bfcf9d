"""Games of splitting goods of several kinds, with or without talk."""
