"""Walkers with two legs carry a package together; see README.md."""
