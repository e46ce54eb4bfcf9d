"""Flying a drone by any dynamics model, with any terms, through any kind of action: what the tasks have in common."""
