"""Take off from the floor and settle a metre above it."""
