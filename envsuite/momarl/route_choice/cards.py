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
        behaviour="a983d2d79c8b5ace",
        datasets=("mo-route-choice/random-v0", "mo-route-choice/mixed-v0", "mo-route-choice/expert-v0"),
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
        behaviour="b0d705483a2e2ef2",
        datasets=("mo-route-choice4200/random-v0", "mo-route-choice4200/mixed-v0", "mo-route-choice4200/expert-v0"),
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
        behaviour="c57303e24621405b",
        datasets=("mo-route-choice-ow/random-v0", "mo-route-choice-ow/mixed-v0", "mo-route-choice-ow/expert-v0"),
    ),
)
