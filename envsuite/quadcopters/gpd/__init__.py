"""What the worlds made after gym-pybullet-drones share: action types, flight, observation, pilot, words."""
