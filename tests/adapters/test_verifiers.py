"""Tasksets of `verifiers`, run by its own environment with a model that is a function."""

import asyncio
import re
import subprocess
import sys
import types

import httpx
import numpy as np
import pytest

pytest.importorskip("verifiers.v1")

import verifiers.v1 as vf

import envsuite
from envsuite.adapters.verifiers import EnvsuiteTaskset
from envsuite.evaluation.rollout import EVALUATION_SEED, play, weighted
from envsuite.serving.package import write_verifiers
from envsuite.testing.chat import ChatServer, last_prompt

pytestmark = pytest.mark.filterwarnings("ignore")


class InProcess(vf.Harness[vf.HarnessConfig]):
    """Asks the model once a turn, without a program of its own."""

    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False
    APPENDS_SYSTEM_PROMPT = True

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data, tool_interception_url=None):
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages += [{"role": one.role, "content": one.content} for one in prompt]
        async with httpx.AsyncClient(timeout=60) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"},
            )
        from verifiers.v1.runtimes import ProgramResult

        return ProgramResult(0 if reply.status_code == 200 else 1, "", reply.text)


@pytest.fixture
def harness(monkeypatch):
    module = types.ModuleType("in_process")
    module.InProcess, module.__all__ = InProcess, ["InProcess"]
    monkeypatch.setitem(sys.modules, "in_process", module)
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name.endswith(".in_process") else found(name, *rest)
    )


@pytest.fixture
def package(tmp_path, monkeypatch):
    def make(env_id):
        write_verifiers(envsuite.card(env_id), tmp_path / env_id)
        monkeypatch.syspath_prepend(str(tmp_path / env_id))
        return f"envsuite-{env_id.lower()}"

    return make


def evaluate(taskset, url, rows=1, split="train", **env):
    from verifiers.v1.clients import EvalClientConfig, ModelContext
    from verifiers.v1.types import SamplingConfig
    from verifiers.v1.utils.loaders import load_environment, resolve_env_config

    player = {"harness": {"id": "in_process"}, **env.pop("player", {})}
    config = resolve_env_config({"taskset": {"id": taskset, "rows": rows, "split": split}, "player": player, **env})
    made = load_environment(config)
    client = EvalClientConfig(base_url=url, api_key_var="NO_KEY_AT_ALL")

    async def run():
        episodes = []
        async with made.serving():
            ctx = ModelContext(client=client, model="function", sampling=SamplingConfig())
            for task in made.taskset:
                for slot in made.slots(task):
                    episodes.append(await made.run_slot(slot, ctx))
        return episodes

    return asyncio.run(run())


def test_seeds_are_rows_and_evaluation_seeds_are_apart(package):
    from verifiers.v1.utils.loaders import load_taskset, taskset_config_type

    name = package("IteratedPrisoners")
    kind = taskset_config_type(name)
    train = list(load_taskset(kind(id=name, rows=5, first=2)))
    assert [task.data.seed for task in train] == [2, 3, 4, 5, 6]
    assert train[0].key == "envsuite/IteratedPrisoners-v0#2"
    held = list(load_taskset(kind(id=name, rows=2, split="eval")))
    assert [task.data.seed for task in held] == [EVALUATION_SEED, EVALUATION_SEED + 1]
    with pytest.raises(ValueError, match="expected below 1000000000"):
        kind(id=name, first=EVALUATION_SEED - 1, rows=2)
    with pytest.raises(ValueError, match="IteratedPrisoners"):
        kind(id=name, env="envsuite/QuadHover-v0")


def test_rows_of_what_does_not_exist_are_named():
    from envsuite.adapters.verifiers import EnvsuiteConfig

    with pytest.raises(ValueError, match="unknown environment"):
        list(EnvsuiteTaskset(EnvsuiteConfig(env="QuadHove")).load())
    with pytest.raises(TypeError, match="has no option 'gravity'"):
        list(EnvsuiteTaskset(EnvsuiteConfig(env="QuadHover", options={"gravity": 1})).load())


def test_the_reward_is_the_normalised_score(package, harness):
    card = envsuite.card("IteratedPrisoners")
    with ChatServer(lambda body: "I think.\nAction: B") as server:
        episodes = evaluate(package("IteratedPrisoners"), server.url, rows=2, split="eval")
    local = play(card, lambda world, slots: Always(1), 2)
    zero, one = (score.mean for score in card.scale)
    for episode, value in zip(episodes, local.returns, strict=True):
        assert episode.ok, episode.errors
        assert len(episode.traces) == 1  # rivals: the other one plays at random, as scores are defined
        expected = (float(weighted(np.array([value]), card.weights)[0]) - zero) / (one - zero)
        for trace in episode.traces:
            assert trace.rewards["score"].score == pytest.approx(expected, abs=1e-12)
            assert trace.metrics["steps"] == 10
            assert trace.metrics["fallbacks"] == 10  # of the other one


class Always:
    def __init__(self, action):
        self.action = action

    def reset(self, mask, seeds):
        pass

    def act(self, observations, states):
        return np.full(observations.shape[:2], self.action)


def test_agents_of_one_team_have_a_trace_each_and_one_score(package, harness):
    with ChatServer(lambda body: "Action: go to [0, 0, 1]") as server:
        (episode,) = evaluate(package("QuadMultiHover"), server.url)
    first, second = episode.traces
    assert first.rewards["score"].score == second.rewards["score"].score
    assert first.metrics == second.metrics
    assert first.metrics["first_valid"] == first.metrics["turns"] > first.metrics["steps"]


def test_who_stops_talking_is_played_on_and_gains_nothing(package, harness):
    with ChatServer(lambda body: "Action: A") as server:
        (episode,) = evaluate(package("IteratedPrisoners"), server.url, player={"max_turns": 3})
    for trace in episode.traces:
        assert trace.metrics["steps"] == 10
        assert trace.metrics["fallbacks"] >= 14


def test_nonsense_is_asked_again_and_then_played_at_random(package, harness):
    asked = []

    def answer(body):
        asked.append(last_prompt(body))
        return "I will not."

    with ChatServer(answer) as server:
        (episode,) = evaluate(package("IteratedPrisoners"), server.url, retries_per_turn=1)
    assert len(asked) == 20
    assert sum(bool(re.search("no valid action", one)) for one in asked) == 10
    assert episode.traces[0].metrics["first_valid"] == 0


@pytest.mark.slow
def test_the_package_installs(package, tmp_path):
    package("QuadHover")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), str(tmp_path / "QuadHover")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("envsuite_quadhover-*.whl"))
