"""Locomotion: Gymnasium's MuJoCo tasks on the rigid bodies of `envsuite.rigid`."""
