"""Model-based offline policy optimisation (MOPO; Yu et al. 2020, arXiv 2005.13239), also with MOBILE's penalty.

An ensemble of networks learns from the dataset where an action leads and what it earns, as normal distributions. Then
soft actor-critic learns from short plays in the ensemble that begin in states of the data, and a little from the data.
What the ensemble is unsure of costs: by the widest of its distributions (MOPO), or by how far its members disagree on
the value of what follows (``--penalty bellman``; MOBILE, Sun et al. 2023, ICML), which here is worked out from the
states that they expect, when the plays are made and not with every batch.

The first ``model_steps`` updates are the ensemble's, the others the policy's.

Run ``python baselines/mopo.py --help`` for all settings; those of a dataset come from ``baselines/mopo.toml``.
"""

from dataclasses import dataclass

import torch
from distributions import sample_squashed
from dynamics import Dynamics
from launch import main
from learning import gradient_step
from offline_sac import OfflineSAC, OfflineSACConfig

PENALTIES = ("spread", "bellman")


@dataclass
class MOPOConfig(OfflineSACConfig):
    """Settings of MOPO, beside those of `OfflineSACConfig`; defaults of the ensemble are the authors'.

    Attributes:
        members: networks of the ensemble...
        elites: ...of which those are used that are best on transitions kept apart.
        model_width: units of each of their four hidden layers.
        model_rate: their step size.
        model_steps: updates of the ensemble before those of the policy.
        rollouts: plays in the ensemble each time.
        rollout_steps: their length.
        rollout_every: updates of the policy after which they are played anew.
        share: of a batch, that comes from the dataset.
        penalty: ``"spread"`` for MOPO's, ``"bellman"`` for MOBILE's.
        caution: weight of the penalty against the (scaled) rewards.
    """

    algorithm = "mopo"

    members: int = 7
    elites: int = 5
    model_width: int = 200
    model_rate: float = 1e-3
    model_steps: int = 20_000
    rollouts: int = 10_000
    rollout_steps: int = 5
    rollout_every: int = 250
    share: float = 0.05
    penalty: str = "spread"
    caution: float = 1.0


class MOPO(OfflineSAC):
    """One training run.

    Raises:
        ValueError: settings that leave nothing to learn, or an unknown penalty.
    """

    config: MOPOConfig
    kept = (*OfflineSAC.kept, "dynamics", "model_optimiser", "dreams")

    def __init__(self, config: MOPOConfig):
        if config.penalty not in PENALTIES:
            raise ValueError(f"penalty is {config.penalty!r}, expected one of {PENALTIES}")
        if config.model_steps >= config.total_steps:
            raise ValueError(f"model_steps is {config.model_steps}, expected less than all {config.total_steps} steps")
        if not 0 <= config.share < 1:
            raise ValueError(f"share is {config.share}, expected a number from 0 up to 1, which it does not reach")
        super().__init__(config)
        self.dynamics = Dynamics(self.rows, config.members, config.elites, config.model_width)
        self.model_optimiser = self.adam(self.dynamics, rate=config.model_rate)
        self.dreams: dict[str, torch.Tensor] = {}

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the ensemble, or of the policy and its critics; the losses."""
        config, past = self.config, self.steps - self.config.model_steps
        if past < 0:
            loss = self.dynamics.loss(self.rows, config.batch_size)
            return {"model_loss": gradient_step(self.model_optimiser, loss)}
        if past == 0:
            self.dynamics.choose_elites(self.rows)
        if past % config.rollout_every == 0:
            self.dreams = self.roll_out()
        return super().update()

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """Transitions of the last plays, and some of the data."""
        size = size or self.config.batch_size
        known = round(size * self.config.share)
        drawn = torch.randint(len(self.dreams["reward"]), (size - known,))
        real = self.rows.sample(known)
        return {name: torch.cat([real[name], one[drawn]]) for name, one in self.dreams.items()}

    @torch.no_grad()
    def roll_out(self) -> dict[str, torch.Tensor]:
        """Plays of the policy in the ensemble from states of the data: transitions as `Transitions.take` gives them."""
        config, found = self.config, []
        obs = self.rows.sample(config.rollouts)["obs"]
        for _ in range(config.rollout_steps):
            action, _ = sample_squashed(self.actor(self.obs_normaliser(obs)))
            guess = self.dynamics.guess(obs, action)
            next_obs, reward, ended = guess.draw()
            doubt = guess.spread if config.penalty == "spread" else self.disagreement(guess.means())
            reward = reward - config.caution * doubt
            discount = config.gamma * ~ended
            step = {"obs": obs, "next_obs": next_obs, "action": action, "reward": reward, "discount": discount}
            found.append(step)
            obs = next_obs[~ended]
            if not len(obs):
                break
        return {name: torch.cat([step[name] for step in found]) for name in found[0]}

    def disagreement(self, next_obs: torch.Tensor) -> torch.Tensor:
        """Standard deviation over members (b,) of the discounted value of what follows, at next states (e, b, S)."""
        obs = self.obs_normaliser(next_obs.flatten(0, 1))
        action, _ = sample_squashed(self.actor(obs))
        value = self.target_critics(obs, action).amin(0)
        return self.config.gamma * value.reshape(next_obs.shape[:2]).std(0, correction=0)


if __name__ == "__main__":
    main(MOPO, MOPOConfig)
