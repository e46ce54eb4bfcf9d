"""The curve that a rope is to take."""

from pathlib import Path

import numpy as np


def letter_w() -> np.ndarray:
    """A handwritten W: x = t + 0.05 y along y = 0.36 cos(4 pi t) - 0.12 sin(pi t)^2, in widths of the letter.

    The original traces the W of the LASA handwriting data, whose licence does not let it go into this package. The
    points lie in a file, since cosines differ in their last bit between processors and libraries.

    Returns:
        (80, 2), neighbours equally far apart, 1 long all together, around the middle of the ends.
    """
    return np.loadtxt(Path(__file__).with_name("letter.csv"), delimiter=",")
