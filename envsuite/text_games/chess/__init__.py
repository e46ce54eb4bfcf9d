"""Chess against an engine, and endgames against perfect defence."""
