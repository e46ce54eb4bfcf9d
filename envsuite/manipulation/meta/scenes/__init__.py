"""Bodies of Meta-World's scenes, with the sizes and masses that metaworld 3.1.1's files compile to."""
