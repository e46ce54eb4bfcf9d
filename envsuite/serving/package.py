"""Writes what others' hubs take: a container with OpenEnv's manifest, and a `verifiers` taskset."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard
from envsuite.core.world import lead_shape, make_world
from envsuite.serving.app import short
from envsuite.serving.forms import plain

_PROBE_STEPS = 20

_DOCKERFILE = """\
FROM python:3.12-slim
# A wheel in this folder is installed in the index's place: --build-arg ENVSUITE="/package/envsuite-....whl[serve]"
ARG ENVSUITE="envsuite[serve]=={version}"
COPY . /package
RUN useradd --create-home player && pip install --no-cache-dir "$ENVSUITE"
USER player
# Compiles the environment, so that no client waits for it.
RUN envsuite serve {name} --check
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s --retries=3 \\
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8000/health')"]
CMD ["envsuite", "serve", "{name}", "--host", "0.0.0.0", "--port", "8000"]
"""

_README = """\
---
title: {name}
sdk: docker
app_port: 8000
tags: [openenv]
---
# {name}

{summary}

Served by [envsuite](https://pypi.org/project/envsuite/) {version} in the OpenEnv protocol:

```console
$ docker build -t {image} .
$ docker run -p 8000:8000 {image}
$ openenv validate --url http://localhost:8000
```
"""

_PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{project}"
version = "{version}"
description = {summary}
requires-python = ">=3.11"
dependencies = ["envsuite[verifiers]=={version}"]

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""

_TASKSET = '''\
"""{name} of envsuite as a `verifiers` taskset."""

from typing import Literal

import verifiers.v1 as vf

from envsuite.adapters.verifiers import EnvsuiteConfig, EnvsuiteEnv, EnvsuiteTask, EnvsuiteTaskset


class {name}Config(EnvsuiteConfig):
    """Seeds and split of the rows."""

    env: Literal["{env_id}"] = "{env_id}"


class {name}Taskset(EnvsuiteTaskset, vf.Taskset[EnvsuiteTask, {name}Config]):
    """One row a seed."""


__all__ = ["EnvsuiteEnv", "{name}Taskset"]
'''


def write_openenv(card: EnvCard, folder: Path) -> None:
    """Write a container of a served environment, with OpenEnv's manifest and the actions of its runtime check.

    Args:
        card: the environment.
        folder: is made.

    Raises:
        FileExistsError: the folder exists.
    """
    name = short(card)
    names = {"name": name, "image": name.lower(), "version": envsuite.__version__, "summary": card.summary}
    _write(
        folder,
        {
            "openenv.yaml": _yaml(_manifest(card)),
            "Dockerfile": _DOCKERFILE.format(**names),
            "README.md": _README.format(**names),
            "validation/runtime.json": json.dumps(_probe(card), indent=2) + "\n",
        },
    )


def write_verifiers(card: EnvCard, folder: Path) -> None:
    """Write an installable package with a `verifiers` taskset of one environment.

    Args:
        card: the environment.
        folder: is made.

    Raises:
        FileExistsError: the folder exists.
    """
    name = "".join(part[:1].upper() + part[1:] for part in short(card).split("-"))
    module = f"envsuite_{name.lower()}"
    names = {"name": name, "env_id": card.id, "module": module, "project": module.replace("_", "-")}
    summary = json.dumps(f"envsuite: {card.summary}")
    _write(
        folder,
        {
            "pyproject.toml": _PYPROJECT.format(**names, version=envsuite.__version__, summary=summary),
            f"{module}/__init__.py": _TASKSET.format(**names),
        },
    )


def _write(folder: Path, files: dict[str, str]) -> None:
    if folder.exists():
        raise FileExistsError(f"{folder} exists already; nothing was written")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, text in files.items():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / name).write_text(text, encoding="utf-8")
        scratch.chmod(0o755)  # a temporary folder's own are for its maker alone
        os.rename(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def _manifest(card: EnvCard) -> dict[str, Any]:
    """OpenEnv's manifest, with what its validator reads."""
    low, high = _reward_range(card)
    tags = ["envsuite", card.family, *(tag.replace(" ", "-") for tag in card.tags)]
    return {
        "spec_version": 1,
        "name": short(card).lower(),
        "version": envsuite.__version__,
        "type": "space",
        "runtime": "docker",
        "app": f"envsuite serve {short(card)}",
        "port": 8000,
        "validation": {
            "execution": {"probe_path": "validation/runtime.json", "dockerfile": "Dockerfile"},
            "reward": {"range": [low, high], "oracle_tolerance": 0.1, "floor_margin": 0.1},
            "resources": {"cpu": 1.0, "memory_mb": 2048, "disk_mb": 4096, "episode_timeout_s": 600.0},
            "capabilities": {"verifier": {"kind": "reward_channel"}, "declared_tools": ["observe", "act"]},
            "types": {"tags": tags},
            "network": {"mode": "public"},
        },
    }


def _reward_range(card: EnvCard) -> tuple[float, float]:
    """Bounds of the reward that a reply carries: those that the world declares, weighted; else wide ones."""
    reward = make_world(card.world, **card.options).reward
    if reward.low is None or reward.high is None or not np.isfinite([reward.low, reward.high]).all():
        return -1e6, 1e6
    bounds = np.stack([np.atleast_1d(reward.low), np.atleast_1d(reward.high)])
    weights = np.array(card.weights) if card.weights else np.full(bounds.shape[1], 1 / bounds.shape[1])
    ends = np.sort(bounds * weights, axis=0).sum(1) * max(1, card.agents)
    return float(ends[0]) - 1e-3, float(ends[1]) + 1e-3


def _probe(card: EnvCard) -> dict[str, Any]:
    """Actions with which OpenEnv's validator plays: those of the random policy."""
    world = make_world(card.world, **card.options)
    policy = RandomPolicy(world.action, lead_shape(world, 1), world.observation)
    policy.reset(np.ones(1, np.bool_), np.zeros(1, np.int64))
    seen = np.ones((*lead_shape(world, 1), *world.observation.shape), world.observation.dtype)
    steps = max(1, min(_PROBE_STEPS, card.horizon or _PROBE_STEPS))
    actions = []
    for _ in range(steps):
        rows = plain(policy.act(seen, np.zeros(1, world.state_dtype))[0])
        actions.append({"action": dict(zip(world.agents, rows, strict=True)) if world.agents else rows})
    return {"plan_schema_version": "1", "reset": {"episode_id": "probe", "seed": 0}, "actions": actions}


def _yaml(value: dict[str, Any], depth: int = 0) -> str:
    """YAML of nested tables; scalars and lists stand as JSON, which YAML contains."""
    lines = ""
    for name, one in value.items():
        lines += "  " * depth + f"{name}:"
        lines += "\n" + _yaml(one, depth + 1) if isinstance(one, dict) else f" {json.dumps(one)}\n"
    return lines
