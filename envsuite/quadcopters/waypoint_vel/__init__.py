"""Fly to waypoints, or hold velocities, by velocity commands."""
