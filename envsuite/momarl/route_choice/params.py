"""Options and the parameter record of route choice.

After Ramos et al. (2020), "Toll-based learning for minimising congestion under heterogeneous preferences", AAMAS, and
MOMAland (arXiv 2407.16312).
"""

import numpy as np

from envsuite.core import Record, field


class Params(Record):
    """The network and its routes."""

    free = field(unit="min", shape="links", meaning="without traffic")
    slope = field(unit="min", shape="links", meaning="a driver")
    quartic = field(unit="min", shape="links", meaning="a (driver ** 4), of the form of the Bureau of Public Roads")
    route = field(type=np.int16, shape=("routes", "longest"), meaning="links, -1 beyond the last")
    length = field(type=np.int16, shape="routes", meaning="links of a route")
    first = field(type=np.int32, shape="pairs", meaning="a pair's first route")
    choices = field(type=np.int32, shape="pairs", meaning="routes of a pair")
    edges = field(shape="pairs", meaning="cumulative shares of the demand")
    toll_all = field(type=np.uint8, meaning="marginal cost on all links; otherwise random tolls on some")
    toll_share = field(meaning="probability of a random toll")
    slowest = field(unit="min", meaning="what times are divided by: of the slowest link if all took it, L_max")
    dearest = field(unit="min", meaning="likewise tolls; 0 for the greatest toll of a link if all took it, C_max")
    longest = field(meaning="links of the longest route, R")
