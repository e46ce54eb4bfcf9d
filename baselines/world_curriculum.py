"""PPO with a curriculum of worlds for Crafter, which follows what the learner can and cannot do yet.

Part of the instances play the original world. The others play worlds that are made for practice: each for one goal,
which the player begins near to, with what the first links of its chain give (`envsuite.crafting.crafter.goals`). Who
reaches the goal often begins one link farther away, until nothing is given any more; then comes another goal. Goals are
drawn with the more weight the rarer they are reached in the original world; those whose prerequisites are hardly ever
met there come late, and so do those that were practised in vain. EnvGen (Zala et al. 2024, arXiv 2403.12014) has the
same loop, with a language model for these rules, which writes what `envsuite.crafting.crafter.config` reads.

What is logged as `score` is Crafter's: over all episodes of training in the original world, as its paper has it.

Run ``python baselines/world_curriculum.py --help`` for all settings; those of an environment come from
``baselines/world_curriculum.toml``.
"""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from launch import main
from ppo import PPO, PPOConfig
from rows import Rows, Step

from envsuite.crafting.crafter.goals import chain, practice, subgoals
from envsuite.crafting.crafter.score import crafter_score
from envsuite.crafting.crafter.things import ACHIEVEMENTS
from envsuite.crafting.crafter.world import CrafterWorld

APART, SEEDS = 1_000_000, 900
"""Between the seeds of two worlds, and how many there are: those of evaluations begin at a thousand million."""


@dataclass
class WorldCurriculumConfig(PPOConfig):
    """Settings of the curriculum, beside those of `PPOConfig`.

    Attributes:
        practice: share of the instances that practise; 0 for PPO alone.
        worlds: how many goals are practised at once, fewer than there are.
        practice_steps: length of an episode of practice, at most.
        memory: weight of an episode after the next one in success rates.
        beaten: success rate of practice that takes a link of what is given away.
        lost: and that gives a link more.
        least: episodes of practice before its world changes.
        most: after so many the goal changes.
        ready: success rate of a goal's rarest prerequisite in the original world that makes it worth practising...
        early: ...and its weight before that.
        hopeless: weight of a goal that was never reached when it was practised last; it grows with the success then.

    Raises:
        ValueError: a share or rate that is none, more worlds than can be, or fewer episodes at most than at least.
    """

    algorithm = "world_curriculum"

    env_id: str = "envsuite/Crafter-v0"
    practice: float = 0.5
    worlds: int = 4
    practice_steps: int = 500
    memory: float = 0.98
    beaten: float = 0.5
    lost: float = 0.05
    least: int = 10
    most: int = 100
    ready: float = 0.1
    early: float = 0.02
    hopeless: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("practice", "memory", "beaten", "lost", "ready", "early", "hopeless"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                raise ValueError(f"{name} is {value}, expected a number from 0 to 1")
        if not 1 <= self.worlds < len(ACHIEVEMENTS):  # one more to go on with
            raise ValueError(f"worlds is {self.worlds}, expected a whole number from 1 to {len(ACHIEVEMENTS) - 1}")
        if not 1 <= self.least <= self.most:
            raise ValueError(f"least is {self.least} and most {self.most}, expected at least 1 and no fewer than that")


@dataclass
class Practice:
    """What a world is for.

    Attributes:
        goal: name of the achievement.
        own: links of its chain that are left to the player.
        rate: success rate since it is as it is, weighted.
        episodes: likewise, how many.
        total: since it is about this goal.
    """

    goal: str
    own: int = 1
    rate: float = 0.0
    episodes: int = 0
    total: int = 0


class Course:
    """Which goals are practised, and from how far away.

    Args:
        config: the settings.
        goals: in an order in which each comes after its prerequisites.
    """

    def __init__(self, config: WorldCurriculumConfig, goals: Any):
        self._config, self._goals = config, goals
        self.rates = dict.fromkeys(ACHIEVEMENTS, 0.0)
        self.hopes = dict.fromkeys(ACHIEVEMENTS, 1.0)
        self.now: list[Practice] = []
        for _ in range(config.worlds if config.practice else 0):
            self.now.append(self._another())

    def weights(self) -> torch.Tensor:
        """(goals,) float64, how much each is worth practising."""
        config, taken = self._config, {one.goal for one in self.now}
        found = []
        for goal in self._goals:
            known = min((self.rates[name] for name in goal.after), default=1.0)
            worth = (1.0 - self.rates[goal.name]) * (1.0 if known >= config.ready else config.early)
            worth *= config.hopeless + (1.0 - config.hopeless) * self.hopes[goal.name]
            found.append(0.0 if goal.name in taken else max(worth, 1e-6))
        return torch.tensor(found, dtype=torch.float64)

    def _another(self) -> Practice:
        return Practice(self._goals[int(torch.multinomial(self.weights(), 1))].name)

    def played(self, k: int | None, reached: np.ndarray) -> None:
        """Take note of episodes.

        Args:
            k: of the practice; None for the original world.
            reached: (episodes, 22) bool.
        """
        memory = self._config.memory
        for row in reached:
            if k is None:
                for name, one in zip(ACHIEVEMENTS, row, strict=True):
                    self.rates[name] += (1 - memory) * (float(one) - self.rates[name])
                continue
            now = self.now[k]
            now.episodes, now.total = now.episodes + 1, now.total + 1
            share = max(1 - memory, 1 / now.episodes)  # a plain mean at first
            now.rate += share * (float(row[ACHIEVEMENTS.index(now.goal)]) - now.rate)

    def changed(self) -> list[int]:
        """Go on where it is time to; which practices are others now."""
        config, found = self._config, []
        for k, now in enumerate(self.now):
            if now.episodes < config.least:
                continue
            move = 1 if now.rate >= config.beaten else -1 if now.rate <= config.lost else 0
            own = now.own + move
            if own < 1 or own > len(chain(self._goals, now.goal)) or now.total >= config.most:
                self.hopes[now.goal] = now.rate if now.own == 1 else 1.0
                self.now[k] = self._another()
            elif move:
                self.now[k] = Practice(now.goal, own, total=now.total)
            else:
                continue
            found.append(k)
        return found

    def config_of(self, k: int) -> dict[str, Any]:
        """The configuration of a practice's world."""
        return practice(self._goals, self.now[k].goal, self.now[k].own)

    def state_dict(self) -> dict[str, Any]:
        """The moment."""
        return {"rates": dict(self.rates), "hopes": dict(self.hopes), "now": [asdict(one) for one in self.now]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.rates, self.hopes = dict(state["rates"]), dict(state["hopes"])
        self.now = [Practice(**one) for one in state["now"]]


class WorldRows:
    """Rows of several worlds below one another: the original's first, then those of each practice.

    Args:
        config: the settings.

    Attributes:
        parts: the rows of each world.
        course: what is practised.
        counts: (22,) int64, episodes in the original world in which each achievement was unlocked.
        episodes: in the original world.

    Raises:
        ValueError: no environment of Crafter with one player and worlds that a config may change, another way of
            beginning anew, or a share of instances that leaves the original world or a practice without any.
    """

    def __init__(self, config: WorldCurriculumConfig):
        each = round(config.num_envs * config.practice / config.worlds)
        rest = config.num_envs - each * config.worlds
        if config.autoreset != "SameStep":
            raise ValueError(f"autoreset is {config.autoreset!r}, expected 'SameStep'")
        if rest < 1 or (config.practice and each < 1):
            raise ValueError(
                f"num_envs is {config.num_envs}, practice {config.practice} and worlds {config.worlds}, expected"
                " instances for the original world and for each practice"
            )
        if config.practice and config.env_options.get("compat") == "craftax-1.6.1":
            raise ValueError("env_options have compat 'craftax-1.6.1', expected worlds that practice may change")
        self._config, self._made = config, 0
        original = Rows(replace(config, num_envs=rest))
        world = original.env.world
        if not isinstance(world, CrafterWorld) or original.agents > 1 or world.config:
            raise ValueError(f"env_id is {config.env_id}, expected Crafter for one player, without a config")
        self.course = Course(config, subgoals(world.params))
        self._each = each
        self.parts = [original, *(self._practising(k) for k in range(len(self.course.now)))]
        self.counts, self.episodes = torch.zeros(len(ACHIEVEMENTS), dtype=torch.int64), 0

    def _practising(self, k: int) -> Rows:
        config = self._config
        options = {"max_episode_steps": config.practice_steps, "config": self.course.config_of(k)}
        seed = config.seed + APART * (1 + self._made % SEEDS)
        self._made += 1
        return Rows(replace(config, num_envs=self._each, env_options={**config.env_options, **options}, seed=seed))

    def __getattr__(self, name: str) -> Any:
        if name == "parts":
            raise AttributeError(name)
        return getattr(self.parts[0], name)

    @property
    def count(self) -> int:
        """Rows of all worlds."""
        return self._config.num_envs

    @property
    def obs(self) -> torch.Tensor:
        """(r, numbers) of all worlds."""
        return torch.cat([part.obs for part in self.parts])

    @property
    def critic_obs(self) -> torch.Tensor:
        """Likewise."""
        return torch.cat([part.critic_obs for part in self.parts])

    def step(self, actions: torch.Tensor) -> Step:
        """As `Rows.step`, in each world."""
        steps = []
        sizes = [part.count for part in self.parts]
        for k, (part, some) in enumerate(zip(self.parts, actions.split(sizes), strict=True)):
            step = part.step(some)
            ended = step.episode_start.numpy()
            if ended.any():
                last = part.infos["final_info"]
                reached = np.stack([last[name][ended] > 0 for name in ACHIEVEMENTS], 1)
                self.course.played(k - 1 if k else None, reached)
                if not k:
                    self.counts += torch.from_numpy(reached.sum(0))
                    self.episodes += len(reached)
            steps.append(step)
        return Step(*(None if column[0] is None else torch.cat(column) for column in zip(*steps, strict=True)))

    def renew(self) -> list[int]:
        """Make the worlds of practices that have changed; which these are."""
        changed = self.course.changed()
        for k in changed:
            self.parts[1 + k] = self._practising(k)
        return changed

    def rows_of(self, k: int) -> slice:
        """The rows of a practice."""
        start = self.parts[0].count + k * self._each
        return slice(start, start + self._each)

    def score(self) -> float:
        """Crafter's, percent, of all episodes in the original world so far; 0 before the first."""
        return crafter_score(self.counts.numpy() / self.episodes) if self.episodes else 0.0

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        parts = [part.state_dict() for part in self.parts]
        numbers = {"made": self._made, "counts": self.counts, "episodes": self.episodes}
        return {"parts": parts, "course": self.course.state_dict(), **numbers}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.course.load_state_dict(state["course"])
        self.parts[1:] = [self._practising(k) for k in range(len(self.course.now))]
        for part, one in zip(self.parts, state["parts"], strict=True):
            part.load_state_dict(one)
        self._made, self.counts, self.episodes = state["made"], state["counts"], state["episodes"]


class WorldCurriculum(PPO):
    """One training run."""

    kept = (*PPO.kept, "worlds")
    devices = ("cpu",)
    unused = ("stages", "privileged")
    rows: Any
    config: WorldCurriculumConfig

    def __init__(self, config: WorldCurriculumConfig):
        super().__init__(config)
        self.worlds: list[dict[str, Any]] = []
        for k in range(len(self.rows.course.now)):
            self._note(k)

    def make_rows(self) -> Any:
        """Of several worlds."""
        return WorldRows(self.config)

    def _note(self, k: int) -> None:
        now = self.rows.course.now[k]
        self.worlds.append(
            {"step": self.steps, "goal": now.goal, "own": now.own, "config": self.rows.course.config_of(k)}
        )

    def iterate(self) -> dict[str, Any]:
        """As PPO; then worlds change whose time has come."""
        numbers = super().iterate()
        for k in self.rows.renew():
            self.running_return[self.rows.rows_of(k)] = 0.0
            self._note(k)
        return numbers | {"score": self.rows.score()}

    def files(self) -> dict[str, bytes]:
        """All worlds of practice, with the step from which on they were."""
        return {"worlds.json": (json.dumps(self.worlds, indent=1) + "\n").encode()}


if __name__ == "__main__":
    main(WorldCurriculum, WorldCurriculumConfig)
