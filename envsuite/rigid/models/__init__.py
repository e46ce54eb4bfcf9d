"""Scenes that several families build on, as declarations."""

from envsuite.rigid.models.ant import ANT, WEAK_ANT

__all__ = ["ANT", "WEAK_ANT"]
