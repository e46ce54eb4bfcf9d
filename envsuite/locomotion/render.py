"""What the camera of each task looks at."""

from envsuite.rigid.render import BodiesPictures


class SwimmerPictures(BodiesPictures):
    """From above; the lines are of the pool's ground."""

    views = ("side",)
    rise, distance, height, floor, spacing = 62.0, 5.0, 0.0, -0.1, 1.0


class AntPictures(BodiesPictures):
    """From a corner above."""

    views = ("corner", "side", "front")
    rise, distance, height = 24.0, 3.6, 0.4


class HumanoidPictures(BodiesPictures):
    """From a corner."""

    views = ("corner", "side", "front")
    rise, distance, height = 10.0, 3.4, 0.8


class HumanoidStandupPictures(HumanoidPictures):
    """From a corner, near the ground."""

    height = 0.5


class InvertedPendulumPictures(BodiesPictures):
    """The rail and what stands on it."""

    distance, height, floor, follows = 2.8, 0.2, -0.3, 0


class InvertedDoublePendulumPictures(BodiesPictures):
    """The rail and what stands on it."""

    distance, height, floor, follows = 3.4, 0.5, -0.3, 0


class ReacherPictures(BodiesPictures):
    """From above."""

    views = ("side",)
    rise, distance, height, floor, follows, spacing = 89.0, 0.75, 0.0, -0.01, 0, 0.1
