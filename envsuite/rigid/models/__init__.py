"""Scenes that several families build on, as declarations."""

from envsuite.rigid.models.ant import ANT

__all__ = ["ANT"]
