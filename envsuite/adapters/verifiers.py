"""Environments as a taskset of PrimeIntellect's `verifiers` (v1, package 0.4): seeds are rows, scores are rewards.

A model plays in the words of `envsuite.evaluation.chat.episode`, one conversation an agent. The reward is the
normalised score of the episode: 0 the random policy (or the best player of one line), 1 the reference. An episode goes
to its end in any case: where a conversation ends early, a random policy plays on, so that giving up gains nothing.
"""

import asyncio
import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

import envsuite
from envsuite.agents.chat.completion import Completion
from envsuite.agents.chat.prompts import load_prompts
from envsuite.cards import EnvCard
from envsuite.core.companions import Referee, companion
from envsuite.core.world import make_world
from envsuite.evaluation.chat.episode import Outcome, play_episode
from envsuite.evaluation.chat.journal import Journal, Place
from envsuite.evaluation.chat.scoring import comparable
from envsuite.evaluation.chat.settings import Settings
from envsuite.evaluation.rollout import EVALUATION_SEED, weighted

try:
    import verifiers.v1 as vf  # ty: ignore[import-not-found]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'verifiers is not installed: pip install "envsuite[verifiers]"', name="verifiers"
    ) from error


class EnvsuiteConfig(vf.TasksetConfig):
    """Which rows there are.

    Attributes:
        env: id of the environment, as for `envsuite.card`.
        options: of the environment.
        split: ``train``, or ``eval`` for the seeds from 1,000,000,000 on, which training never sees.
        first: place of the first row in its split.
        rows: how many.
    """

    env: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    split: Literal["train", "eval"] = "train"
    first: int = Field(0, ge=0)
    rows: int = Field(1000, ge=1)

    @model_validator(mode="after")
    def _apart(self) -> "EnvsuiteConfig":
        if self.split == "train" and self.first + self.rows > EVALUATION_SEED:
            raise ValueError(f"the rows go to seed {self.first + self.rows - 1}, expected below {EVALUATION_SEED}")
        return self


class EnvsuiteData(vf.TaskData):
    """One row: an environment and the seed of its episode."""

    env: str
    options: dict[str, Any]
    seed: int


class EnvsuiteTask(vf.Task[EnvsuiteData]):
    """To play one episode."""

    @property
    def key(self) -> str:
        """The environment and the seed."""
        options = ",".join(f"{name}={value}" for name, value in sorted(self.data.options.items()))
        return f"{self.data.env}{f'[{options}]' if options else ''}#{self.data.seed}"


class EnvsuiteTaskset(vf.Taskset[EnvsuiteTask, EnvsuiteConfig]):
    """Rows are seeds, in order."""

    def load(self) -> Iterator[EnvsuiteTask]:
        """The rows.

        Raises:
            ValueError: no such environment, or one without scores to normalise by or a length limit.
        """
        config = self.config
        try:
            card = _card(config.env, config.options)
        except KeyError as error:
            raise ValueError(error.args[0]) from None
        if card.scale is None or card.horizon is None:
            raise ValueError(f"{card.id} has no {'anchor scores' if card.scale is None else 'length limit'}")
        make_world(card.world, **card.options)  # names options that do not exist
        begin = config.first + (EVALUATION_SEED if config.split == "eval" else 0)
        for seed in range(begin, begin + config.rows):
            data = EnvsuiteData(
                name=f"{card.id}#{seed}", description=card.summary, env=card.id, options=config.options, seed=seed
            )
            yield EnvsuiteTask(data, config.task)


class EnvsuiteEnvConfig(vf.EnvConfig):
    """Who plays.

    Attributes:
        player: plays all agents; in games of rivals the first one, against random players, as scores are defined.
        retries: further answers asked for in a turn after an invalid one.
        prompts: file of prompt templates, see ``docs/language-agents.md``.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    retries_per_turn: int = Field(2, ge=0)
    prompts: Path | None = None


class EnvsuiteEnv(vf.Env[EnvsuiteEnvConfig]):
    """One episode, played on this machine."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play the row's episode and record its score."""
        data: EnvsuiteData = task.data
        card = _card(data.env, data.options)
        settings = Settings(
            env_id=card.id,
            model="",
            base_url="",
            prompts=load_prompts(self.config.prompts),
            first_seed=data.seed,
            options=data.options,
            window=None,
            retries=self.config.retries_per_turn,
            fallback="random",
        )
        world = make_world(card.world, **card.options)
        rivals = companion(world, Referee).zero_sum
        async with contextlib.AsyncExitStack() as stack:
            talks: dict[int, Any] = {}
            silent: set[int] = set()

            async def ask(place: Place, messages: list[dict[str, Any]], prompt: str, picture: Any) -> Completion:
                agent = place[1]
                if agent in silent or (rivals and agent > 0):
                    await asyncio.sleep(0)
                    return Completion("")
                if agent not in talks:
                    told = data.model_copy(update={"prompt": None, "system_prompt": messages[0]["content"]})
                    opened = agents.player.interaction(type(task)(told, task.config))
                    talks[agent] = await stack.enter_async_context(opened)
                segment = await talks[agent].turn(prompt)
                if segment.terminated:
                    silent.add(agent)
                return Completion("" if segment.terminated else segment.last_reply)

            outcome = await play_episode(card, settings, data.seed, ask, _Unwritten())
        score, returns = scored(card, outcome)
        for talk in talks.values():
            talk.trace.record_reward("score", score)
            talk.trace.record_metrics(_numbers(outcome, returns))


class _Unwritten(Journal):
    """A journal that keeps nothing: the traces do."""

    def __init__(self):
        pass

    def note(self, kind: str, **fields: Any) -> None:
        """Keep nothing."""


def _card(env: str, options: dict[str, Any]) -> EnvCard:
    card = envsuite.card(env)
    return dataclasses.replace(card, options={**card.options, **options})


def scored(card: EnvCard, outcome: Outcome) -> tuple[float, float]:
    """The reward of an episode, and its return.

    Args:
        card: of the environment, with the options it was played with.
        outcome: of the episode.

    Returns:
        The normalised score, or the return itself where the options make other scores; and the return.
    """
    returns = float(weighted(outcome.returns[None], card.weights)[0])
    if card.scale is None or not comparable(card):
        return returns, returns
    zero, one = (score.mean for score in card.scale)
    return (returns - zero) / (one - zero), returns


def _numbers(outcome: Outcome, returns: float) -> dict[str, float]:
    """What a trace keeps of an episode beside its reward."""
    found = {
        "return": returns,
        "steps": outcome.length,
        "turns": outcome.turns,
        "first_valid": outcome.first_valid,
        "fallbacks": outcome.fallbacks,
    }
    found |= {name: float(value) for name, value in outcome.metrics.items() if value.ndim == 0}
    return {name: float(value) for name, value in found.items()}


__all__ = ["EnvsuiteEnv", "EnvsuiteTaskset"]
