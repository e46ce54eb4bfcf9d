"""One episode as conversations, one for each agent: the same code asks, resumes and scores again."""

import asyncio
import base64
import functools
import io
import math
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.agents.audit import Audit
from envsuite.agents.chat.answers import FORM_OF_JSON, FORM_OF_TEXT, Invalid, action_text
from envsuite.agents.chat.completion import Completion
from envsuite.agents.chat.prompts import windowed
from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, digest
from envsuite.core.companions import Logs, Pictures, Referee, Words, companion
from envsuite.core.language import Refusal
from envsuite.core.layout import Vector
from envsuite.core.world import World, ended_agents, lead_shape, make_world
from envsuite.evaluation.chat.journal import Journal, Place
from envsuite.evaluation.chat.settings import LONGEST_THOUGHT, Settings
from envsuite.evaluation.rollout import final_metrics, flags_at_end, summed_rewards

Ask = Callable[[Place, list[dict[str, Any]], str, Callable[[], str] | None], Awaitable[Completion]]
"""Gives the answer to (place, messages without picture, the last of them, what draws its picture)."""


_PICTURE = "The situation is shown in the picture."
_SILENCE = "(no answer)"  # some endpoints refuse conversations with empty messages


@dataclass
class Outcome:
    """What came of an episode.

    Attributes:
        seed: of the episode.
        returns: float64, () or (objectives,), summed over agents.
        agent_returns: float64, (agents or 1, [objectives]).
        length: steps.
        terminated: ended by the task, for all agents.
        truncated: reached the length limit.
        metrics: info of the last step by name, averaged over agents.
        turns: times that an agent had to act.
        first_valid: turns whose first answer was a valid action.
        fallbacks: turns without a valid answer.
        answers: how many there were.
        invalid: answers that were no valid actions, by kind.
        thought: ticks that passed while the model was thinking.
        seconds: of the world's clock; nan where it has none.
        audit: how it was played, where the world judges that.
    """

    seed: int
    returns: np.ndarray
    agent_returns: np.ndarray
    length: int = 0
    terminated: bool = False
    truncated: bool = False
    metrics: dict[str, np.ndarray] = field(default_factory=dict)
    turns: int = 0
    first_valid: int = 0
    fallbacks: int = 0
    answers: int = 0
    invalid: Counter[str] = field(default_factory=Counter)
    thought: int = 0
    seconds: float = math.nan
    audit: Audit | None = None


async def play_episode(card: EnvCard, settings: Settings, seed: int, ask: Ask, journal: Journal) -> Outcome:
    """Play one episode; what happens depends on the settings, the seed and the answers alone.

    Args:
        card: the environment, with its options.
        settings: of the conversations.
        seed: of the environment, and of random fallbacks.
        ask: gives the answers.
        journal: keeps what follows from them, or compares it with what was kept.

    Raises:
        ValueError: the environment has no words or no length limit, or the journal says otherwise.
    """
    world = make_world(card.world, **card.options)
    try:
        return await _Episode(card, settings, world, seed, ask, journal).play()
    finally:
        world.close()


class _Episode:
    def __init__(self, card: EnvCard, settings: Settings, world: World, seed: int, ask: Ask, journal: Journal):
        self._settings, self._world, self._seed = settings, world, seed
        self._ask, self._journal = ask, journal
        self._several, self._agents = bool(world.agents), max(1, len(world.agents))
        self._batch = Batch(world, 1, horizon=card.horizon or 0, num_threads=1)
        self._check = ActionChecker(world.action, lead_shape(world, 1))
        self._random = RandomPolicy(world.action, lead_shape(world, 1), world.observation)
        self._random.reset(np.ones(1, np.bool_), np.array([seed]))
        self._drawn: np.ndarray | None = None  # this step's random joint action
        self._past: list[list[tuple[str, str]]] = [[] for _ in range(self._agents)]
        self._last = [_neutral(world) for _ in range(self._agents)]
        per_agent = np.zeros((self._agents, *world.reward.shape))
        self.outcome = Outcome(seed, np.zeros(world.reward.shape), per_agent)
        self._rewards = np.zeros_like(per_agent)
        self._common = {
            "environment": card.id,
            "task": card.summary,
            "agents": self._agents,
            "horizon": card.horizon,
            "format": FORM_OF_JSON if settings.structured else FORM_OF_TEXT,
        }
        self._systems: list[str] = []
        self._auditor = None if self._several else companion(world, Referee).auditor()
        self._realtime = settings.clock == "realtime"
        if self._realtime and (self._several or not world.loops.tick_rate):
            why = "it has several agents" if self._several else "it has no clock that runs between actions"
            raise ValueError(f"{card.id} cannot be played in real time: {why}")

    def _names(self, agent: int) -> dict[str, Any]:
        who = f"You are {self._world.agents[agent]}, one of {self._agents} agents. " if self._several else ""
        return {**self._common, "agent": who}

    def _system(self, agent: int) -> str:
        """The first message; with the rules, where no description says them."""
        text = self._settings.prompts.fill("system", self._names(agent))
        if self._settings.shown == "text":
            return text
        return f"{text}\n{companion(self._world, Words).instructions(self._batch.states[0], agent)}"

    async def play(self) -> Outcome:
        batch, outcome = self._batch, self.outcome
        batch.seed([self._seed])
        batch.reset()
        self._systems = [self._system(agent) for agent in range(self._agents)]
        for agent, text in enumerate(self._systems):
            self._journal.note("system", agent=agent, text=text)
        while not batch.done[0]:
            step = outcome.length
            before = outcome.returns, outcome.thought
            actions, fallen = await self._decide(step)
            if batch.done[0]:
                break
            thinking = {"thought": outcome.thought - before[1], "thought_rewards": outcome.returns - before[0]}
            thinking = thinking if self._realtime else {}
            output = batch.step(self._check(actions))
            outcome.returns = (
                outcome.returns
                + summed_rewards(output.rewards, self._several, companion(self._world, Referee).zero_sum)[0]
            )
            self._rewards = np.reshape(output.rewards[0], self._rewards.shape)
            outcome.agent_returns += self._rewards
            outcome.length += 1
            note = {"actions": actions[0], "rewards": output.rewards[0], "fallback": fallen}
            self._journal.note("step", step=step, **note, **thinking)
            if self._auditor is not None:
                self._auditor.note(batch.states[0], actions[0], self._faults, not fallen)
        output = batch.last
        terminated, truncated = flags_at_end(output, self._several)
        outcome.terminated, outcome.truncated = bool(terminated[0]), bool(truncated[0])
        outcome.metrics = {name: one[0] for name, one in final_metrics(output.info, self._several).items()}
        outcome.seconds = companion(self._world, Logs).seconds(batch.states[0])
        if self._realtime:
            outcome.metrics["thought"] = np.asarray(outcome.thought / self._world.loops.tick_rate)
        if self._auditor is not None:
            outcome.audit = self._auditor.result(batch.states[0])
            outcome.metrics |= {name: np.asarray(one) for name, one in outcome.audit.numbers().items()}
        self._journal.note(
            "end",
            seed=self._seed,
            returns=outcome.returns,
            length=outcome.length,
            terminated=outcome.terminated,
            truncated=outcome.truncated,
            state=digest(batch.states),
        )
        batch.close()
        return outcome

    async def _decide(self, step: int) -> tuple[np.ndarray, list[int]]:
        """The joint action, (1, [a,] *A), and the agents for whom it is a fallback."""
        world, state = self._world, self._batch.states[0]
        live = [0]
        if self._several:
            live = [k for k in np.flatnonzero(~ended_agents(world, state)).tolist() if self._acts(k)]
        # All agents' answers are waited for even if one fails: they are paid for and belong in the journal.
        found: list[Any] = await asyncio.gather(*(self._turn(step, agent) for agent in live), return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        actions = np.zeros(lead_shape(world, 1) + world.action.shape, world.action.dtype)
        rows = actions.reshape(self._agents, *world.action.shape)
        fallen, self._drawn = [], None
        if self._batch.done[0]:  # while the model was thinking: nothing is played any more
            return actions, fallen
        for agent, action in zip(live, found, strict=True):
            self.outcome.turns += 1
            if action is None:
                fallen.append(agent)
                action = self._fallback(agent)
            rows[agent] = self._last[agent] = action
        self.outcome.fallbacks += len(fallen)
        return actions, fallen

    def _acts(self, agent: int) -> bool:
        """Whether an agent has anything to choose: in games by turns one of them waits."""
        info = self._batch.last.info
        return "action_mask" not in (info.dtype.names or ()) or bool(info["action_mask"][0, agent].any())

    async def _turn(self, step: int, agent: int) -> Any:
        """Ask one agent for an action; None where no answer holds one."""
        settings, state = self._settings, self._batch.states[0]
        common = self._names(agent)
        prompt = settings.prompts.fill(
            "turn",
            {
                **common,
                "description": companion(self._world, Words).describe(state, agent)
                if settings.shown == "text"
                else _PICTURE,
                "step": step,
                "reward": _number(self._rewards[agent]),
                "return": _number(self.outcome.agent_returns[agent]),
            },
        )
        picture = None if settings.image is None else functools.partial(self._picture, agent)
        first, present, action = prompt, [], None
        self._faults: list[Invalid] = []
        for attempt in range(settings.retries + 1):
            messages = windowed(self._systems[agent], self._past[agent], settings.window, present, prompt)
            completion = await self._ask((step, agent, attempt), messages, prompt, picture)
            self.outcome.answers += 1
            if self._realtime and self._think(completion.seconds):
                return None
            action = self._read(completion, agent)
            if not isinstance(action, Invalid):
                self.outcome.first_valid += attempt == 0
                break
            self.outcome.invalid[str(action.kind)] += 1
            self._faults.append(action)
            present.append((prompt, completion.text or _SILENCE))
            prompt = settings.prompts.fill("retry", {**common, "kind": action.kind, "reason": action.reason})
        self._past[agent].append((first, completion.text or _SILENCE))
        return None if isinstance(action, Invalid) else action

    def _read(self, completion: Completion, agent: int) -> Any:
        text = action_text(completion, self._settings.structured)
        if isinstance(text, Invalid):
            return text
        action = companion(self._world, Words).parse(text, self._batch.states[0], agent)
        return Invalid(action.kind, action.reason, action.code) if isinstance(action, Refusal) else action

    def _think(self, seconds: float) -> bool:
        """Let the time of a thought pass; whether the episode has ended meanwhile."""
        ticks = math.ceil(round(min(seconds, LONGEST_THOUGHT) * self._world.loops.tick_rate, 9))
        rewards = self._batch.elapse(ticks).rewards
        self.outcome.returns = self.outcome.returns + rewards[0]
        self.outcome.agent_returns += np.reshape(rewards[0], self.outcome.agent_returns.shape)
        self.outcome.thought += ticks
        return bool(self._batch.done[0])

    def _fallback(self, agent: int) -> Any:
        if self._settings.fallback == "repeat":
            return self._last[agent]
        if self._settings.fallback == "neutral":
            return _neutral(self._world)
        if self._drawn is None:
            joint = self._random.act(self._batch.last.observations, self._batch.states)
            self._drawn = joint.reshape(self._agents, *self._world.action.shape).copy()
        return self._drawn[agent]

    def _picture(self, agent: int) -> str:
        from PIL import Image

        assert self._settings.image is not None
        content = io.BytesIO()
        frame = companion(self._world, Pictures).draw_for(self._batch.states[0], self._settings.image, agent)
        Image.fromarray(frame).save(content, format="PNG")
        return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"


def _neutral(world: World) -> np.ndarray:
    """The middle of the bounds (0 where a side is open); the first alternative of choices."""
    layout = world.action
    if not isinstance(layout, Vector):
        return np.zeros(layout.shape, layout.dtype)
    bounded = np.isfinite(layout.low) & np.isfinite(layout.high)
    middle = np.where(bounded, layout.low / 2 + layout.high / 2, np.clip(0, layout.low, layout.high))
    return middle.astype(layout.dtype)


def _number(values: np.ndarray) -> str:
    return ", ".join(f"{value:.4g}" for value in np.reshape(values, -1))
