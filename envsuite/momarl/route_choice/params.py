"""Options and the parameter record of route choice.

After Ramos et al. (2020), "Toll-based learning for minimising congestion under heterogeneous preferences", AAMAS, and
MOMAland (arXiv 2407.16312).
"""

import numpy as np

MOST_DRIVERS = 20_000

TOLLS = ("mct", "random")


def params_dtype(links: int, routes: int, pairs: int, longest: int) -> np.dtype:
    """The record of an instance's constants.

    Args:
        links: of the network.
        routes: of all pairs of origin and destination together.
        pairs: of origin and destination.
        longest: links of the longest route.
    """
    return np.dtype(
        [
            ("free", np.float64, (links,)),  # minutes without traffic
            ("slope", np.float64, (links,)),  # minutes a driver
            ("quartic", np.float64, (links,)),  # minutes a (driver ** 4), of the form of the Bureau of Public Roads
            ("route", np.int16, (routes, longest)),  # links, -1 beyond the last
            ("length", np.int16, (routes,)),  # links of a route
            ("first", np.int32, (pairs,)),  # a pair's first route
            ("choices", np.int32, (pairs,)),  # routes of a pair
            ("edges", np.float64, (pairs,)),  # cumulative shares of the demand
            ("toll_all", np.uint8),  # marginal cost on all links; otherwise random tolls on some
            ("toll_share", np.float64),  # probability of a random toll
            ("slowest", np.float64),  # what times are divided by: latency of the slowest link if all took it, L_max
            ("dearest", np.float64),  # likewise tolls; 0 for the greatest toll of a link if all took it, C_max
            ("longest", np.float64),  # links of the longest route, R
        ],
        align=True,
    )
