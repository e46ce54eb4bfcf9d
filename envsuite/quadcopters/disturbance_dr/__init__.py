"""Hold a position with a vehicle that no one knows, under disturbances."""
