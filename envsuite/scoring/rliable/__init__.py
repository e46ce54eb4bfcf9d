"""The calls of rliable (Agarwal et al. 2021) on the functions of this package.

Replace ``from rliable import library, metrics, plot_utils`` by ``from envsuite.scoring.rliable import library, metrics,
plot_utils``. What differs: ``random_state`` is honoured; with checkpoints whole runs are drawn; ``"bca"`` leaves out
one (run, task) score at a time; and it is much faster.
"""
