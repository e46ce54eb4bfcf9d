"""Two masses between springs and dampers, pushed to targets."""
