"""Cards of route choice."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Ramos et al. (2020), AAMAS; MOMAland, arXiv 2407.16312"
_TAGS = ("multi-objective", "multi-agent", "discrete actions", "congestion", "individual rewards", "known equilibrium")

CARDS = (
    EnvCard(
        id="envsuite/MORouteChoice-v0",
        world="envsuite.momarl.route_choice.kernel:RouteChoiceWorld",
        options={"num_agents": 100},
        family="momarl",
        summary="A hundred drivers on Braess's network choose between two fixed routes and the tempting shortcut.",
        source=_SOURCE,
        horizon=2,  # the episode ends by itself after one step
        agents=100,
        objectives=("time", "toll"),
        weights=(0.5 / 100, 0.5 / 100),
        tags=(*_TAGS, "deterministic"),
        random=Score(-0.4088, 0.0004, 1000, "uniformly random"),
        expert=Score(-0.3333, 0.0000, 1000, "dispatcher"),
        behaviour="9c280b3e9385df88",
    ),
    EnvCard(
        id="envsuite/MORouteChoice4200-v0",
        world="envsuite.momarl.route_choice.kernel:RouteChoiceWorld",
        family="momarl",
        summary="4,200 drivers on Braess's network choose between two fixed routes and the tempting shortcut.",
        source=_SOURCE,
        horizon=2,  # the episode ends by itself after one step
        agents=4200,
        objectives=("time", "toll"),
        weights=(0.5 / 4200, 0.5 / 4200),
        tags=(*_TAGS, "deterministic"),
        random=Score(-0.4074, 0.0001, 1000, "uniformly random"),
        expert=Score(-0.3333, 0.0000, 1000, "dispatcher"),
        behaviour="2ba61c1de25984eb",
    ),
    EnvCard(
        id="envsuite/MORouteChoiceBB-v0",
        world="envsuite.momarl.route_choice.kernel:RouteChoiceWorld",
        options={"problem": "BBraess_3", "num_agents": 420},
        family="momarl",
        summary="420 drivers on a Braess graph with two pairs of origin and destination, of three and of seven routes.",
        source=_SOURCE,
        horizon=2,  # the episode ends by itself after one step
        agents=420,
        objectives=("time", "toll"),
        weights=(0.5 / 420, 0.5 / 420),
        tags=_TAGS,
        random=Score(-0.1410, 0.0001, 1000, "uniformly random"),
        expert=Score(-0.0737, 0.0001, 1000, "dispatcher"),
        behaviour="6a2391ab52e55c04",
        unranked="one route for all is as good as the dispatcher",
    ),
    EnvCard(
        id="envsuite/MORouteChoiceOW-v0",
        world="envsuite.momarl.route_choice.kernel:RouteChoiceWorld",
        options={"problem": "OW", "num_agents": 1700},
        family="momarl",
        summary="1,700 drivers on the network of Ortuzar and Willumsen, four pairs of origin and destination.",
        source=_SOURCE,
        horizon=2,  # the episode ends by itself after one step
        agents=1700,
        objectives=("time", "toll"),
        weights=(0.5 / 1700, 0.5 / 1700),
        tags=_TAGS,
        random=Score(-0.2391, 0.0001, 1000, "uniformly random"),
        expert=Score(-0.1727, 0.0000, 1000, "dispatcher"),
        behaviour="a6c1b8ac7a62a2c2",
    ),
    EnvCard(
        id="envsuite/MORouteChoiceSF-v0",
        world="envsuite.momarl.route_choice.kernel:RouteChoiceWorld",
        options={"problem": "SF", "num_agents": 3606},
        family="momarl",
        summary="3,606 drivers, each for a hundred vehicles, on the network of Sioux Falls with its trips.",
        source=_SOURCE,
        horizon=2,  # the episode ends by itself after one step
        agents=3606,
        objectives=("time", "toll"),
        weights=(0.5 / 3606, 0.5 / 3606),
        tags=_TAGS,
        random=Score(-100.0318, 0.2104, 1000, "uniformly random"),
        expert=Score(-0.2799, 0.0004, 1000, "dispatcher"),
        floor=Score(-4.2225, 0.0166, 1000, "r0"),
        behaviour="7196dfd5064ebea5",
    ),
)
