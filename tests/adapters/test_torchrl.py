"""TorchRL's own check of specs, groups, masks and seeds; that a policy learns."""

import pytest

pytest.importorskip("torchrl")

import torch
from torchrl.envs.utils import check_env_specs

from envsuite.adapters.torchrl import TorchRLEnv
from tests.baselines.worlds import small

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # a heavy package, which warns


@pytest.mark.parametrize(
    "name", ["QuadHover", "QuadMultiHover", "BulwarkVersus", "MOConnect4", "DuelCorner", "MazePointUmaze", "CoinGame"]
)
def test_torchrl_finds_no_fault(name):
    check_env_specs(TorchRLEnv(name, 3))


def test_pictures_are_pixels():
    env = TorchRLEnv(small("Pole", 6), 2, obs_type="pixels")
    check_env_specs(env)
    assert env.reset()["pixels"].shape == (2, 84, 84, 3)


def test_agents_are_grouped_by_name_or_as_asked():
    assert TorchRLEnv("BulwarkVersus").group_map == {"defender": ["defender_0"], "attacker": ["attacker_0"]}
    assert list(TorchRLEnv("QuadSwarmGoals").group_map) == ["drone"]
    pairs = {"front": ["drone_2", "drone_0"], "back": ["drone_1"]}
    env = TorchRLEnv("QuadLeaderFollower", 2, group_map=pairs, seed=1)
    check_env_specs(env)
    env.set_seed(1)
    seen, plain = env.reset(), TorchRLEnv("QuadLeaderFollower", 2, seed=1).reset()
    assert torch.equal(seen["front", "observation"], plain["drone", "observation"][:, [2, 0]])
    with pytest.raises(ValueError, match="each agent once"):
        TorchRLEnv("QuadLeaderFollower", group_map={"front": ["drone_0"]})


def test_random_actions_heed_masks():
    env = TorchRLEnv("MOConnect4", 8, seed=0)
    rollout = env.rollout(60, break_when_any_done=False)
    allowed = rollout["player", "action_mask"].gather(-1, rollout["player", "action"].unsqueeze(-1))
    assert allowed.all()
    assert rollout["player", "action_mask"].any(-1).all()
    assert not rollout["player", "action_mask"].all()


def test_seeds_and_partial_resets():
    env = TorchRLEnv(small("Pole", 12), 3)
    env.set_seed(5)
    first, second = env.reset(), env.reset()
    assert not torch.equal(first["observation"], second["observation"])
    env.set_seed(5)
    assert torch.equal(env.reset()["observation"], first["observation"])
    before = env.rollout(4, break_when_any_done=False)[:, -1]["next"]
    env.set_seed(5)  # waits for a reset of all
    again = env.reset(before.clone().set("_reset", torch.tensor([[False], [True], [False]])))
    same = (again["observation"] == before["observation"]).all(-1)
    assert same.tolist() == [True, False, True]
    one, two = env.env.batch.last.observations[[0, 2]], before["observation"][[0, 2]]
    assert torch.equal(torch.from_numpy(one), two)  # the batch itself has not begun anew either
    assert torch.equal(env.reset()["observation"], first["observation"])
