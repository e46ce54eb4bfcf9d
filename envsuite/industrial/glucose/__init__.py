"""Insulin for virtual patients with diabetes of type 1."""
