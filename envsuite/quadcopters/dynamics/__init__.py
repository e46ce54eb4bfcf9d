"""Rigid-body dynamics of quadcopters, one module a model."""
