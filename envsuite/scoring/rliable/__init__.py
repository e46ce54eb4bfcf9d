"""The calls of rliable (Agarwal et al. 2021) on the functions of this package.

Replace ``from rliable import library, metrics, plot_utils`` by ``from envsuite.scoring.rliable import library, metrics,
plot_utils``. Every public name of rliable 1.2.0 is there. What differs:

- ``random_state`` is honoured, where rliable draws from NumPy's global generator; with checkpoints whole runs are
  drawn; ``"bca"`` leaves out one (run, task) score at a time; a single run is refused; and it is much faster.
- ``task_bootstrap`` holds for pairs of score arrays too, which have to have the same tasks.
- The bootstrap classes have `bootstrap`, `apply`, `conf_int`, `cov`, `var`, `update_indices`, `clone`, `reset`,
  `index` and the data. Of what they inherit from the package `arch` there are not: ``method="studentized"`` with
  ``std_err_func`` and ``studentize_reps``, parametric sampling, pandas objects, and `generator`, `random_state`,
  `seed`, `state`, `get_state` and `set_state`.
"""
