"""Runs in an environment of its own with MOMAland 0.2.0 and prints, as JSON, what it does and how fast it is.

``python momaland_peer.py trajectories`` or ``python momaland_peer.py speed``; nothing of this package is imported.
"""

import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
DRONES = ("surround", "escort", "catch")


def beach(**options):
    """The beach."""
    from momaland.envs.beach import beach as module

    return module.raw_env(**options)


def items():
    """Item gathering."""
    from momaland.envs.item_gathering import item_gathering as module

    return module.raw_env()


def routes(drivers):
    """Route choice on the first Braess graph; the original's generator is for 4200 drivers."""
    from momaland.envs.route_choice import route_choice as module

    return module.raw_env(num_agents=drivers)


def drones(task):
    """Surround, escort or catch."""
    from importlib import import_module

    return import_module(f"momaland.envs.crazyrl.{task}.{task}").raw_env()


def board(name, **options):
    """A game of turns."""
    from importlib import import_module

    module = {
        "connect4": "connect4.connect4",
        "breakthrough": "breakthrough.breakthrough",
        "samegame": "samegame.same_game",
        "ingenious": "ingenious.ingenious",
    }
    return import_module(f"momaland.envs.{module[name]}").raw_env(**options)


def rewards_of(env, rewards):
    """Vectors in the order of agents."""
    return [np.asarray(rewards[agent], float).tolist() for agent in env.possible_agents]


def of_beach(mode, draws):
    """One step from drawn states."""
    env = beach(num_agents=50, sections=5, capacity=3, reward_mode=mode, type_distribution=(0.7, 0.3))
    found = []
    for seed in range(5):
        env.reset(seed=seed)
        start = {"type": list(map(int, env._types)), "section": list(map(int, env._state))}
        actions = draws.integers(0, 3, 50).tolist()
        rewards = env.step(dict(zip(env.possible_agents, actions, strict=True)))[1]
        found.append({**start, "actions": actions, "rewards": rewards_of(env, rewards)})
    return found


def of_items(draws):
    """Ten steps on the default map."""
    env, found = items(), []
    for seed in range(20):
        env.reset(seed=seed)
        steps = []
        for _ in range(10):
            actions = draws.integers(0, 5, 2).tolist()
            rewards = env.step(dict(zip(env.possible_agents, actions, strict=True)))[1]
            places = [list(map(int, place)) for place in env.agent_positions]
            steps.append({"actions": actions, "places": places, "rewards": rewards_of(env, rewards)})
        found.append(steps)
    return found


def of_routes(draws):
    """One step of 4200 drivers."""
    env, found = routes(4200), []
    for seed in range(3):
        env.reset(seed=seed)
        actions = draws.choice(3, 4200, p=draws.dirichlet(np.ones(3))).tolist()
        rewards = env.step(dict(zip(env.possible_agents, actions, strict=True)))[1]
        found.append({"actions": actions, "rewards": rewards_of(env, rewards)})
    return found


def of_networks(draws):
    """One step on networks with several pairs of origin and destination, told by the names of links.

    Drivers are drawn from pairs that have routes: those of Sioux Falls from a node to itself have none, and the
    original raises a KeyError.
    """
    from momaland.envs.route_choice import route_choice as module

    class Ours(module.MORouteChoice):
        def _init_state(self):
            pairs = [pair for pair in self.od if pair in self.routes]
            return [pairs[k] for k in draws.integers(len(pairs), size=self.num_agents)]

    found = {}
    for name in ("Braess_3_4200_10_c1", "BBraess_3_2100_10_c1_900", "BBraess_7_2100_10_c1_900", "OW", "SF"):
        env = Ours(problem_name=name, num_agents=600)
        env.reset(seed=0)
        actions = [int(draws.integers(env.action_space(agent).n)) for agent in env.possible_agents]
        routes = [env.routes[pair][k] for pair, k in zip(env.drivers_od, actions, strict=True)]
        rewards = env.step(dict(zip(env.possible_agents, actions, strict=True)))[1]
        found[name.split("_2100")[0].split("_4200")[0]] = {
            "pairs": [pair.split("|") for pair in env.drivers_od],
            "routes": [route.split(",") for route in routes],
            "rewards": rewards_of(env, rewards),
        }
    return found


def of_drones(task, draws):
    """Random flights, until one crashes."""
    env, found = drones(task), []
    for seed in range(5):
        env.reset(seed=seed)
        steps, over = [], False
        while not over:
            actions = draws.uniform(-1, 1, (4, 3)).astype(np.float32)
            given = dict(zip(env.possible_agents, actions, strict=True))
            _, rewards, terminated, truncated, _ = env.step(given)
            steps.append({"actions": actions.tolist(), "rewards": rewards_of(env, rewards)})
            over = any(terminated.values()) or any(truncated.values())
        found.append(steps)
    return found


def of_board(name, draws, **options):
    """Random games; rewards are sums over the game."""
    env, found = board(name, **options), []
    for seed in range(5):
        env.reset(seed=seed)
        start = env.gameinfo["board"][0] if name == "samegame" else None
        totals, actions = {agent: 0.0 for agent in env.possible_agents}, []
        while env.agents and not any(env.terminations.values()):
            agent = env.agent_selection
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            actions.append(int(draws.choice(legal)))
            env.step(actions[-1])
            for one in env.possible_agents:
                totals[one] = totals[one] + np.asarray(env.rewards.get(one, 0.0), float)
        board_ = None if start is None else [[int(cell) for cell in column] for column in start]
        found.append({"board": board_, "actions": actions, "rewards": rewards_of(env, totals)})
    return found


def of_ingenious(draws, **options):
    """Random games of Ingenious, move by move: what the tiles of all racks were, what was done, what came of it."""
    env, found = board("ingenious", **options), []
    length = env.board_size
    for seed in range(3):
        env.reset(seed=seed)
        steps = []
        while env.agents and not env.game.end_flag:
            mask = np.asarray(env.observe(env.agent_selection)["action_mask"])
            player = env.agents.index(env.agent_selection)
            racks = [[list(map(int, tile)) for tile in env.game.p_tiles[agent]] for agent in env.possible_agents]
            action = int(draws.choice(np.flatnonzero(mask)))
            first, second, slot = env.game.action_index_map[action]
            env.step(action)
            rewards = [np.asarray(env.rewards[agent], float).tolist() for agent in env.possible_agents]
            place = [[int(cell.q), int(cell.r)] for cell in (first, second)]
            steps.append({"player": player, "legal": int(mask.sum()), "racks": racks, "place": place, "slot": slot,
                          "rewards": rewards})  # fmt: skip
        values = env.game.board_array
        final = [[x - length + 1, y - length + 1, int(values[x, y])] for x, y in np.argwhere(values > 0).tolist()]
        found.append({"steps": steps, "board": final})
    return found


def pistons():
    """Pistonball."""
    from momaland.envs.pistonball import pistonball as module

    return module.raw_env()


def pistons_at_once():
    """The same in the parallel API."""
    from momaland.envs.pistonball import pistonball as module

    return module.parallel_env()


def of_pistons(draws):
    """Whole episodes: random pushes, and pushes towards a slope under the ball."""
    env, found = pistons(), []
    for seed in range(4):
        env.reset(seed=seed)
        ball, heads = env.ball, lambda: [float(one.position[1]) for one in env.pistonList]
        start = {"height": heads(), "place": list(map(float, ball.position)), "spin": float(ball.angular_velocity)}
        steps, over = [], False
        while not over:
            actions = draws.uniform(-1, 1, 20)
            if seed % 2:
                right = 40 * (np.arange(20) + 1.5) - ball.position[0] + 40
                actions = np.clip((np.clip(0.6 * right, 0, 64) - 491 + np.array(heads())) / 4, -1, 1)
            actions = actions.astype(np.float32)
            for one in actions:
                env.step(np.array([one]))
            rewards = np.asarray(env.rewards["piston_0"], float).tolist()
            place = list(map(float, ball.position))
            steps.append({"actions": actions.tolist(), "place": place, "height": heads(), "rewards": rewards})
            over = any(env.terminations.values()) or any(env.truncations.values())
        found.append({"start": start, "steps": steps, "terminated": any(env.terminations.values())})
    return found


def walkers(**options):
    """Multiwalker's engine, without noise in observations."""
    from momaland.envs.multiwalker_stability.momultiwalker_stability_base import MOMultiWalkerStabilityEnv

    return MOMultiWalkerStabilityEnv(position_noise=0.0, angle_noise=0.0, **options)


def walkers_at_once():
    """Multiwalker in the parallel API."""
    from momaland.envs.multiwalker_stability import momultiwalker_stability as module

    return module.parallel_env()


def of_walkers(draws, strength, **options):
    """Random walks until all is over; at most 120 steps."""
    from gymnasium.utils.seeding import np_random

    env, found = walkers(**options), []
    for seed in range(3):
        env._seed(seed)
        env.reset()
        push = [float(np_random(env.seed_val)[0].uniform(-5, 5)) for _ in env.walkers]
        start = {"ground": list(map(float, env.terrain_y)), "push": push, "observations": _seen(env)}
        steps = []
        while len(steps) < 120 and not (steps and all(steps[-1]["ended"])):
            actions = (strength * draws.uniform(-1, 1, (len(env.walkers), 4))).astype(np.float32)
            there = [k for k, walker in enumerate(env.walkers) if walker.hull is not None]
            for k in there:
                env.step(actions[k], k, k == there[-1])
            rewards = np.asarray(env.last_rewards, float).tolist()
            ended = [bool(one) for one in env.last_dones]
            steps.append({"actions": actions.tolist(), "observations": _seen(env), "rewards": rewards, "ended": ended})
        found.append({"start": start, "steps": steps})
    return found


def _seen(env):
    return [np.asarray(one, float).tolist() for one in env.last_obs]


def trajectories():
    """All of the above."""
    draws = np.random.default_rng(0)
    found = {f"beach_{mode}": of_beach(mode, draws) for mode in ("individual", "team")}
    found |= {"items": of_items(draws), "routes": of_routes(draws)}
    found |= {task: of_drones(task, draws) for task in DRONES}
    found["networks"] = of_networks(np.random.default_rng(1))
    found["connect4"] = of_board("connect4", draws)
    found["samegame"] = of_board("samegame", draws, num_agents=2)
    found["pistons"] = of_pistons(draws)
    found["walkers"] = of_walkers(draws, 0.5)
    found["walkers_alone"] = of_walkers(draws, 1.0, n_walkers=2, shared_reward=False, terminate_on_fall=False)
    found["ingenious"] = of_ingenious(draws)
    found["ingenious_teams"] = of_ingenious(draws, num_agents=4, reward_mode="two_teams")
    return found


def rate(step, seconds=1.5):
    """Steps a second of process time, the best of three."""
    best = 0.0
    for _ in range(3):
        start, count = time.process_time(), 0
        while time.process_time() - start < seconds:
            step()
            count += 1
        best = max(best, count / (time.process_time() - start))
    return best


def stepper(env, draw):
    """A function that steps a parallel environment with actions drawn beforehand, resets included."""
    pool = [dict(zip(env.possible_agents, draw(), strict=True)) for _ in range(32)]
    state = {"k": 0, "over": True}

    def step():
        if state["done"]:
            env.reset(seed=state["k"])
        state["k"] += 1
        _, _, terminated, truncated, _ = env.step(pool[state["k"] % 32])
        state["done"] = any(terminated.values()) or any(truncated.values())

    return step


def turns(env):
    """A function that makes a random legal move, resets included."""
    draws = np.random.default_rng(0)
    env.reset(seed=0)

    def step():
        if not env.agents or any(env.terminations.values()):
            env.reset(seed=int(draws.integers(1000)))
        env.step(int(draws.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))

    return step


def speed():
    """Steps a second."""
    draws = np.random.default_rng(0)
    found = {
        "MOBeach": rate(stepper(beach(), lambda: draws.integers(0, 3, 100))),
        "MOItemGathering": rate(stepper(items(), lambda: draws.integers(0, 5, 2))),
        "MORouteChoice4200": rate(stepper(routes(4200), lambda: draws.integers(0, 3, 4200))),
        "MORouteChoice": rate(stepper(routes(100), lambda: draws.integers(0, 3, 100))),
    }
    for task in DRONES:
        found[f"MO{task.capitalize()}"] = rate(stepper(drones(task), lambda: draws.uniform(-1, 1, (4, 3))))
    found["MOPistonball"] = rate(stepper(pistons_at_once(), lambda: draws.uniform(-1, 1, (20, 1)).astype(np.float32)))
    found["MOMultiwalker"] = rate(stepper(walkers_at_once(), lambda: draws.uniform(-1, 1, (3, 4)).astype(np.float32)))
    found["MOConnect4"] = rate(turns(board("connect4")))
    found["MOBreakthrough"] = rate(turns(board("breakthrough")))
    found["MOIngenious"] = rate(turns(board("ingenious")))
    found["MOSameGame"] = rate(turns(board("samegame", num_agents=2, board_width=10, board_height=10)))
    return found


if __name__ == "__main__":
    print(json.dumps({"trajectories": trajectories, "speed": speed}[sys.argv[1]]()))
