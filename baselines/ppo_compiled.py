"""Proximal policy optimisation of perceptrons, compiled as a whole: for trainings that take seconds.

The networks of most control tasks are so small that PyTorch spends most of a training between its operations. Here a
round is a few calls of compiled code, none of which holds Python's lock: actor and environment play all steps in one
(`envsuite.core.fused`), the losses, gradients and Adam's steps of actor and critic are another each
(`compiled_losses.py` on `backprop.py`), which run side by side. The algorithm is that of ``ppo.py``, but for these
points: actor and critic clip their gradients each for itself, and inputs are not clipped.

A block of old actions in the observation may be seen as a few exponential averages of them (`averages`): an estimate
of what lagging motors do now, from a tenth of the inputs.

Run ``python baselines/ppo_compiled.py --help`` for all settings; those of an environment come from
``baselines/ppo_compiled.toml``.
"""

import math
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from backprop import Rule
from compiled_losses import advantages_of, learn_actor, learn_critic
from distributions import ActionHead
from export import Exporter
from gymnasium.vector import AutoresetMode
from launch import main
from networks import Normaliser, mlp
from perceptrons import Learned, Moments, averaging
from ppo import PPOConfig
from rows import Rows
from torch import nn
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy
from envsuite.cards import EnvCard
from envsuite.core.fused import FusedRollout, Played
from envsuite.core.perceptron import Perceptron, dense

UNUSED = ("final_clip", "value", "value_clip", "target_kl", "teach", "final_teach", "kinds")
"""Settings of PPO that are not compiled."""


@dataclass
class CompiledPPOConfig(PPOConfig):
    """Settings of PPO that are compiled, and those of its inputs.

    Attributes:
        averages: time constants, in steps, of exponential averages of old actions by which the network sees the
            observation's block ``action history``; empty to see all of it as it is.
    """

    algorithm = "ppo_compiled"

    averages: tuple[float, ...] = ()


class ThreadedRows(Rows):
    """Rows whose instances are stepped by as many threads as learn."""

    def make(self, card: EnvCard, config: Any) -> Any:
        """The environments."""
        threads = {"num_threads": 1 if config.threads == 1 else 2}
        return super().make(card, replace(config, env_options=threads | config.env_options))


class CompiledPPO(Trainer):
    """One training run."""

    kept = ("actor", "critic", "inputs", "critic_inputs", "running_return", "return_moments")

    def __init__(self, config: CompiledPPOConfig):
        super().__init__(config)
        torch.set_num_threads(1)  # it only draws numbers, whose first weights depend on threads
        self.refuse(UNUSED, "this is not compiled, see ppo.py")
        if len(self.rows.shape) != 1:
            raise ValueError(f"{config.env_id} shows pictures {self.rows.shape}, expected numbers: see ppo.py")
        if self.rows.agents > 1 or self.rows.mode is not AutoresetMode.SAME_STEP:
            raise ValueError("only one agent, and autoreset 'SameStep', are compiled: see ppo.py")
        self.rollout = FusedRollout(self.rows.env.batch, reuse=True)
        actions = ActionHead(self.rows.action_space, config.log_std)
        self.heads = tuple(actions.heads)
        self.refuse_by_actions(self.heads)
        self.mixing: np.ndarray | None = None
        if config.averages:
            self.mixing = averaging(self.rows.env.world.observation, actions.outputs, tuple(config.averages))
        seen = self.rows.shape[0] if self.mixing is None else self.mixing.shape[1]
        criticised = self.rows.critic_shape[0] if config.privileged else seen
        actor = mlp([seen, *config.hidden, actions.outputs], 0.01, config.activation)
        if not self.heads:
            actor[-1].bias.data[:] = torch.tensor(config.initial_action)
        self.actor = Learned(actor, self.heads, np.zeros(0) if self.heads else actions.log_std.detach().numpy())
        self.critic = Learned(mlp([criticised, *config.hidden, 1], 1.0, config.activation))
        self.inputs, self.critic_inputs = Moments(seen, config.normalise), Moments(criticised, config.normalise)
        self.running_return = torch.zeros(self.rows.count)
        self.return_moments = torch.tensor([0.0, 1.0, 1e-4], dtype=torch.float64)
        self._threads = None if config.threads == 1 else ThreadPoolExecutor(1)

    def make_rows(self) -> Rows:
        """See `ThreadedRows`."""
        return ThreadedRows(self.config)

    def iterate(self) -> dict[str, Any]:
        """Play `num_steps` steps and learn from them."""
        config, count = self.config, self.config.num_steps * self.config.num_envs
        if config.final_log_std < math.inf:
            bound = config.final_log_std + (config.log_std - config.final_log_std) * self.decayed()
            np.minimum(self.actor.log_std, np.float32(bound), out=self.actor.log_std)
        played = self.rollout.play(self.perceptron(), self._noise())
        self.steps += count
        raw, raw_critic = self._seen(played.observations[:-1], played.infos[:-1])
        inputs, critic_inputs = self.inputs(raw), self.critic_inputs(raw_critic)
        numbers = self.learn(played, inputs, critic_inputs, *self.judged(played, critic_inputs))
        self.inputs.update(raw)
        self.critic_inputs.update(raw_critic)
        return numbers

    def learn(
        self, played: Played, inputs: np.ndarray, critic_inputs: np.ndarray, advantages: np.ndarray, targets: np.ndarray
    ) -> dict[str, float]:
        """Improve actor and critic on all rows, side by side."""
        config, count = self.config, len(advantages)
        rule = Rule(
            config.learning_rate * self.decayed(config.final_rate), config.clip, config.entropy, config.max_gradient
        )
        orders = [np.stack([torch.randperm(count).numpy() for _ in range(config.epochs)]) for _ in range(2)]
        loss = self._beside(learn_critic, self.critic, rule, critic_inputs, targets, orders[1], config.minibatches)
        actions, nothing = played.raw_actions.reshape(count, -1), np.zeros((count, 0))
        numbers = (nothing.astype(np.float32), actions) if self.heads else (actions, nothing.astype(np.int64))
        flat = played.log_probs.reshape(-1), advantages
        clipped = learn_actor(
            self.actor.learner, rule, inputs, *numbers, *flat, orders[0], config.minibatches, *self.actor.room
        )
        return {"value_loss": loss.result(), "clipped": clipped}

    def _noise(self) -> np.ndarray:
        shape = self.config.num_steps, self.config.num_envs, self.actor.outputs
        return (-torch.empty(shape).exponential_().log_() if self.heads else torch.randn(shape)).numpy()

    def _beside(self, call: Any, net: Learned, *given: Any) -> Future:
        """Run a kernel on a network, in the other thread if there is one."""
        if self._threads:
            return self._threads.submit(call, net.learner, *given, *net.room)
        done: Future = Future()
        done.set_result(call(net.learner, *given, *net.room))
        return done

    def _seen(self, observations: np.ndarray, infos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What actor and critic get of (..., *O): rows as they come."""
        raw = flat = np.ascontiguousarray(observations, np.float32).reshape(-1, self.rows.shape[0])
        if self.mixing is not None:
            raw = np.empty((len(flat), self.mixing.shape[1]), np.float32)
            dense(flat, self.mixing, np.zeros(raw.shape[1], np.float32), raw)
        if not self.config.privileged:
            return raw, raw
        privileged = np.ascontiguousarray(infos[self.config.privileged], np.float32)
        return raw, privileged.reshape(len(flat), self.rows.critic_shape[0])

    def judged(self, played: Played, critic_inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Advantages and what values are to be, of all rows."""
        config, shape = self.config, played.log_probs.shape
        _, after = self._seen(played.observations[-1], played.infos[-1])
        cut = ~played.terminated[played.ends[:, 0], played.ends[:, 1]]
        bootstrap = np.zeros(shape, np.float32)
        if cut.any():  # truncated episodes go on in the value function, terminated ones do not
            _, last = self._seen(played.final_observations[cut], played.final_infos[cut])
            bootstrap[tuple(played.ends[cut].T)] = self.critic.values(self.critic_inputs(last))
        advantages, targets = np.empty(shape, np.float32), np.empty(shape, np.float32)
        advantages_of(
            *(played.rewards.astype(np.float32), played.terminated | played.truncated, bootstrap),
            *(self.critic.values(critic_inputs).reshape(shape), self.critic.values(self.critic_inputs(after))),
            *(config.gamma, config.gae_lambda, self.running_return.numpy(), self.return_moments.numpy()),
            config.scale_rewards,
            *(advantages, targets),
        )
        return advantages.reshape(-1), targets.reshape(-1)

    def perceptron(self) -> Perceptron:
        """The actor on observations as they come: what happens to its inputs is in its first layer."""
        (weight, bias), *rest = self.actor.layers()
        shift, scale = self.inputs.normal()
        scaled, count = scale[:, np.newaxis] * weight, self.rows.shape[0]
        first = scaled if self.mixing is None else self.mixing @ scaled, bias - (shift * scale) @ weight
        zeros, ones = np.zeros(count, np.float32), np.ones(count, np.float32)
        spread = self.actor.log_std.copy()
        return Perceptron([first, *rest], self.config.activation, zeros, ones, np.inf, spread, self.heads)

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        exporter = Exporter(self.config.env_id, self.rows.env, self.rows.mask_at)
        network = nn.Sequential()
        for k, (weight, bias) in enumerate(self.perceptron().layers):
            layer = nn.Linear(*weight.shape)
            layer.weight.data, layer.bias.data = torch.from_numpy(weight.T.copy()), torch.from_numpy(bias.copy())
            network.extend([self.actor.activation(), layer] if k else [layer])
        output = exporter.layers(exporter.inputs(Normaliser(self.rows.shape[0], False)), network)
        return exporter.finish(output, "clip" if not self.heads else "sample" if self.config.sampled else "argmax")


if __name__ == "__main__":
    main(CompiledPPO, CompiledPPOConfig)
