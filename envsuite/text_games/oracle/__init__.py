"""What the dialogue tasks share: reading questions, finding the nearest known one, and what an oracle answers."""
