"""MiniGrid's memory task: look at an object, walk down a hallway, go to the same object."""
