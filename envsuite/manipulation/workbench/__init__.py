"""A Panda arm at a workbench: a peg and its hole, a drawer, a door, a table to wipe."""
