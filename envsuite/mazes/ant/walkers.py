"""The frozen low-level controllers of the ants; `baselines/walkers.py` trained them."""

from pathlib import Path

FOLDER = Path(__file__).parent / "walkers"
