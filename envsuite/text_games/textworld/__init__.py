"""Text worlds: rooms, doors, keys, containers, supporters and food, after Microsoft's TextWorld."""
