"""Card of the tracking task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadTrackLissajous-v0",
        world="envsuite.quadcopters.track_lissajous.kernel:TrackLissajousWorld",
        family="quadcopters",
        summary="Follow a Lissajous curve of random shape and pace through space, by motor commands at 100 Hz.",
        source="Curves after Eschmann, Albani and Loianno (2024), Learning to Fly in Seconds, arXiv 2311.13081",
        horizon=1000,
        tags=("control", "continuous actions", "tracking", "trajectory"),
        random=Score(10.161, 0.153, 1000, "uniformly random"),
        expert=Score(1237.818, 4.178, 1000, "geometric controller"),
        behaviour="4b771f54a307a96c",
    ),
)
