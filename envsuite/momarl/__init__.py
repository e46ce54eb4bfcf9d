"""Multi-objective multi-agent worlds: the tasks of MOMAland with their exact fronts, and social dilemmas."""
