"""Route choice: drivers choose routes through a network whose links get slower with traffic, and pay tolls."""
