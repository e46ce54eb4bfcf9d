"""Kinds become ones among zeros, in training and in the policy file."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from launch import run  # noqa: E402
from mappo import MAPPO, MAPPOConfig  # noqa: E402
from one_hot import OneHot  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from ppo_compiled import CompiledPPO, CompiledPPOConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402
from selfplay import SelfPlay, SelfPlayConfig  # noqa: E402

from envsuite.core.layout import Block, Vector  # noqa: E402

from .worlds import small  # noqa: E402

TINY = {"num_envs": 4, "num_steps": 10, "total_steps": 200, "evaluations": 1, "episodes": 4, "threads": 1}
LAYOUT = Vector((Block("map", 2, 0, 3), Block("speed", 1, -1, 1), Block("own", 2, 0, (1, 2))))


def test_each_number_of_a_kind_has_its_place():
    obs = torch.tensor([[3.0, 0.0, -0.5, 1.0, 2.0], [2.0, 2.0, 0.25, 0.0, 0.0]])
    found = OneHot(LAYOUT, ("map", "own"))(obs)
    eye = np.eye(4)
    expected = [[-0.5, *eye[3], *eye[0], 0, 1, 0, 0, 1], [0.25, *eye[2], *eye[2], 1, 0, 1, 0, 0]]
    assert found.dtype == torch.float32
    assert found.tolist() == expected
    assert OneHot(LAYOUT, ("own",))(obs.to(torch.float64)).tolist()[1] == [2, 2, 0.25, 1, 0, 1, 0, 0]
    assert OneHot(LAYOUT, ("map",)).size == 3 + 8


def test_what_is_no_kind_is_refused():
    for layout, blocks, message in (
        (LAYOUT, ("here",), r"kinds is \['here'\], expected blocks .* \['map', 'speed', 'own'\]"),
        (LAYOUT, ("speed",), "whole numbers from 0 on"),
        (Vector((Block("share", 1, 0, 0.5),)), ("share",), "whole numbers from 0 on"),
        (None, ("map",), r"it has \[\]"),
    ):
        with pytest.raises(ValueError, match=message):
            OneHot(layout, blocks)


@pytest.mark.parametrize(
    ("maker", "settings", "task", "kinds", "extra"),
    [
        (PPO, PPOConfig, "Locks", ("first", "second"), {}),
        (PPO, PPOConfig, "Parity", ("me",), {}),
        (RecurrentPPO, RecurrentPPOConfig, "Recall", ("last",), {"units": 8}),
    ],
)
def test_the_policy_file_acts_as_the_network(maker, settings, task, kinds, extra):
    trainer = maker(settings(env_id=small(task), kinds=kinds, hidden=(8,), **TINY | extra))
    for _ in range(3):
        trainer.iterate()
    policy, rows = trainer.policy(), trainer.rows
    policy.reset(np.ones(rows.count, np.bool_), np.arange(rows.count))
    if extra:
        trainer.memory = torch.zeros_like(trainer.memory)
    every = torch.cartesian_prod(*[torch.arange(one) for one in trainer.agent.actions.heads])
    every = every.reshape(len(every), -1)
    observation, infos = rows.env.reset(seed=5)
    for _ in range(4):
        rows.obs, rows.critic_obs, rows.mask = rows.read(observation, infos)
        with torch.no_grad():
            distribution = trainer.current_policy()[0]
            chances = [distribution.log_prob(one.expand(rows.count, -1)) for one in every]
        expected = every[torch.stack(chances).argmax(0)].numpy()
        actions = policy.act(np.asarray(observation).reshape(rows.count, -1), None)
        assert np.array_equal(np.asarray(actions).reshape(expected.shape), expected)
        observation, _, terminated, truncated, infos = rows.env.step(expected.reshape(rows.env.action_space.shape))
        if (terminated | truncated).any():
            break


def test_a_run_with_kinds_learns_and_its_file_is_evaluated(tmp_path):
    config = PPOConfig(env_id=small("Locks"), kinds=("first", "second"), hidden=(8,), **TINY)
    folder = run(PPO, config, tmp_path)
    assert (folder / "policy.onnx").is_file()


def test_where_networks_are_others_kinds_are_refused():
    for maker, settings, task in (
        (MAPPO, MAPPOConfig, "Parity"),
        (CompiledPPO, CompiledPPOConfig, "Locks"),
        (SelfPlay, SelfPlayConfig, "Guess"),
    ):
        kinds = {"Parity": ("me",), "Locks": ("first",), "Guess": ("shown",)}[task]
        with pytest.raises(ValueError, match="kinds is"):
            maker(settings(env_id=small(task), kinds=kinds, hidden=(8,), **TINY))
    with pytest.raises(ValueError, match="kinds must be empty"):
        PPO(PPOConfig(env_id=small("Locks"), kinds=("first",), teach=1.0, hidden=(8,), **TINY))
