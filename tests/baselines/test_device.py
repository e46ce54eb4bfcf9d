"""Learning on a GPU: rows on Numba's simulator are those of the processor, and tensors are made on one device."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from cuda_rows import Field  # noqa: E402
from dqn import DQN, DQNConfig  # noqa: E402
from gpi_ls import GPILS, GPILSConfig  # noqa: E402
from learning import advantages  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402

from ..core.simulator import run_on_simulator  # noqa: E402
from .worlds import small  # noqa: E402

SCRIPT = """
import sys
import numpy as np
import torch
sys.path.insert(0, "baselines")
from common import Rows
from cuda_rows import CudaRows
from ppo import PPO, PPOConfig

def same(one, two):
    for name, ours, theirs in zip(one._fields, one, two):
        assert (ours is None) == (theirs is None), name
        assert ours is None or (ours.dtype == theirs.dtype and torch.equal(ours, theirs)), name

for env_id, mode in (("QuadHover", "SameStep"), ("QuadHover", "NextStep"), ("QuadMultiHover", "SameStep")):
    options = {"max_episode_steps": 3}
    config = PPOConfig(env_id=f"envsuite/{env_id}-v0", num_envs=3, autoreset=mode, env_options=options, seed=5)
    config.privileged = "privileged" if env_id == "QuadHover" else ""
    rows = [Rows(config), CudaRows(config)]
    drawn = torch.Generator().manual_seed(0)
    over, compared = 0, set()
    for step in range(8):
        if step == 5:
            moment = rows[1].state_dict()
        actions = torch.rand(rows[0].count, 4, generator=drawn) * 2 - 1
        steps = [one.step(actions) for one in rows]
        same(*steps)
        assert torch.equal(rows[0].seen, rows[1].seen)
        for name, ours in rows[0].infos.items():
            if name in rows[1].infos and not name.startswith("_"):
                assert np.array_equal(ours.reshape(-1), rows[1].infos[name].numpy().reshape(-1)), name
                compared.add(name)
        over += int(steps[0].over.sum())
    assert over >= rows[0].count and len(compared) >= 3
    later = CudaRows(config)
    later.load_state_dict(moment)
    drawn = torch.Generator().manual_seed(0)
    actions = [torch.rand(rows[0].count, 4, generator=drawn) * 2 - 1 for _ in range(8)]
    for step in range(5, 8):
        last = later.step(actions[step])
    same(last, steps[1])

for env_id, options in (("MOConnect4", {}), ("Bulwark-L1", {"max_episode_steps": 3})):
    config = PPOConfig(env_id=f"envsuite/{env_id}-v0", num_envs=2, env_options=options, seed=5)
    rows = [Rows(config), CudaRows(config)]
    for step in range(7):
        assert torch.equal(rows[0].mask, rows[1].mask) and not rows[0].mask.all()
        actions = torch.multinomial(rows[0].mask.float() + 1e-9, 1)[:, 0]
        same(*(one.step(actions) for one in rows))

class Simulated(PPO):
    def make_rows(self):
        return CudaRows(self.config)

stages = ({"step": 16, "set_reward_weights": "target"},)
settings = {"num_envs": 4, "num_steps": 4, "total_steps": 32, "evaluations": 1, "episodes": 1, "threads": 1}
config = PPOConfig.for_env("QuadHover", **settings, stages=stages)
trained = []
for make in (PPO, Simulated):
    trained.append(trainer := make(config))
    for _ in range(3):
        trainer.rows.enter_stages(trainer.steps)
        trainer.iterate()
for ours, theirs in zip(*(trainer.agent.parameters() for trainer in trained)):
    assert torch.equal(ours, theirs)
print("done")
"""


def test_rows_on_the_simulator_are_those_of_the_processor():
    run_on_simulator(SCRIPT)


class Shared:
    """An array of the processor that tells of itself as one of a device would."""

    def __init__(self, given: dict):
        self.__cuda_array_interface__ = self.__array_interface__ = given


@pytest.mark.parametrize("shape", [(4,), (2, 3)])
def test_fields_of_records_are_found_in_their_memory(shape):
    kind = np.dtype([("a", np.bool_), ("b", np.float32, (2, 3)), ("c", np.int64), ("mask", np.bool_, (5,))], align=True)
    records = np.zeros(shape, kind)
    for name in kind.names:
        records[name] = np.random.default_rng(0).integers(0, 2, records[name].shape)
        field = Field(Shared({**records.view(np.uint8).__array_interface__, "shape": shape}), kind, name)
        found = np.asarray(Shared(field.__cuda_array_interface__))
        assert found.dtype == records[name].dtype
        np.testing.assert_array_equal(found, records[name])


@pytest.mark.parametrize("make", [PPO, RecurrentPPO])
@pytest.mark.parametrize("env_id", ["envsuite/QuadHover-v0", "small/Locks-v0"])
def test_updates_make_all_tensors_on_one_device(make, env_id):
    """On PyTorch's device without memory, which refuses to meet the processor's tensors."""
    small("Locks")
    config = {PPO: PPOConfig, RecurrentPPO: RecurrentPPOConfig}[make](env_id=env_id, num_envs=4, num_steps=4, threads=1)
    trainer = make(config)
    batch = {key: one.to("meta") for key, one in trainer.collect().items()}
    with torch.device("meta"):
        agent = trainer.agent = trainer.make_agent()
        parts = (batch[key] for key in ("reward", "value", "over", "last_value"))
        advantages(*parts, batch["value"][-1], 0.9, 0.9)
        part = {key: one.flatten(0, 1) for key, one in batch.items() if key != "memory"}
        if make is PPO:
            numbers = trainer.losses(part)
        else:
            states = agent.along(
                agent.seen(batch["seen"].flatten(0, 1)).unflatten(0, (4, 4)), batch["memory"], batch["begun"]
            )
            distribution = agent.actions.distribution(agent.actor(states.flatten(0, 1)), part.get("mask"))
            numbers = trainer.compared(part, distribution, agent.critic(states.flatten(0, 1)).squeeze(1))
        numbers["loss"].backward()
        played = agent.actions.played(part["action"])
    assert {one.grad.device.type for one in agent.parameters() if one.grad is not None} == {"meta"}
    assert played.device.type == "meta"
    with pytest.raises(RuntimeError, match="device"):
        agent.actor[0](torch.zeros(1, agent.actor[0].in_features))


def test_devices_that_are_not_there_are_named():
    with pytest.raises(ValueError, match="device is 'gpu', ppo learns on cpu or cuda"):
        PPO(PPOConfig(device="gpu"))
    with pytest.raises(ValueError, match="device is 'cuda', gpi_ls learns on cpu"):
        GPILS(GPILSConfig(device="cuda"))
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="PyTorch finds no GPU"):
            DQN(DQNConfig(device="cuda"))
