"""NeoRL-2's two bodies: a hopper whose floor is never the same, and a runner with a speed limit."""
