"""MuJoCo's XML (MJCF): the part of it that `envsuite.rigid` knows, read and written."""

from envsuite.rigid.mjcf.reading import IgnoredWarning, read_mjcf
from envsuite.rigid.mjcf.writing import write_mjcf

__all__ = ["IgnoredWarning", "read_mjcf", "write_mjcf"]
