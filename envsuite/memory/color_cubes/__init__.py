"""Color-Cubes: find the cube of a colour among cubes that jump away, from what was seen when one jumped."""
