"""Prisms of many shapes that rods slide, push and insert: rigid tasks of geometry-aware manipulation."""
