"""OpenEnv's own client, validator and manifest reader talk to the server."""

import asyncio
import json

import numpy as np
import pytest

pytest.importorskip("openenv")

import openenv

import envsuite
from envsuite.serving.package import write_openenv

from .conftest import IDS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.mark.parametrize("name", IDS)
def test_its_validator_is_content(server, name):
    from openenv.cli._validation import validate_running_environment

    report = validate_running_environment(f"{server.url}/{name}")
    assert report["passed"], report
    assert report["mode"] == "simulation"
    assert report["standard_profile"] == "openenv-http/1.x"


def test_its_validator_is_content_with_the_root(server):
    from openenv.cli._validation import validate_running_environment

    assert validate_running_environment(server.url)["passed"]


@pytest.mark.parametrize("name", IDS)
def test_its_client_plays_an_episode(server, name):
    local = envsuite.make(name, disable_env_checker=True)
    local.action_space.seed(0)
    agents = local.unwrapped.world.agents

    async def play():
        async with openenv.GenericEnvClient(base_url=f"{server.url}/{name}") as client:
            seen, _ = local.reset(seed=4)
            result = await client.reset(seed=4, episode_id="mine")
            done = False
            for step in range(60):
                rows = result.observation["observation"]
                there = np.array(list(rows.values()) if agents else rows, seen.dtype)
                assert there.tobytes() == seen.tobytes()
                state = await client.state()
                assert (state["episode_id"], state["step_count"]) == ("mine", step)
                if done:
                    break
                action = local.action_space.sample()
                given = np.asarray(action).tolist()
                result = await client.step({"action": dict(zip(agents, given, strict=True)) if agents else given})
                seen, reward, terminated, truncated, _ = local.step(action)
                done = terminated or truncated
                assert result.done == done
                assert agents or result.reward == reward
            with pytest.raises(RuntimeError, match="expected an action or a text"):
                await client.step({})

    asyncio.run(play())


def test_its_synchronous_client_hears_words(server):
    with openenv.GenericEnvClient(base_url=f"{server.url}/QuadHover").sync() as client:
        result = client.reset(seed=1, text=True)
        local = envsuite.make("QuadHover").unwrapped
        local.reset(seed=1)
        assert result.observation["text"] == local.describe()
        result = client.step({"text": "go to [0, 0, 0]"})
        assert result.reward == local.step(local.parse("go to [0, 0, 0]"))[1]


def test_its_tool_client_observes_and_acts(server):
    from openenv.core.mcp_client import MCPToolClient

    async def play():
        async with MCPToolClient(base_url=f"{server.url}/IteratedPrisoners") as client:
            await client.reset(seed=2)
            tools = await client.list_tools()
            assert [tool.name for tool in tools] == ["observe", "act"]
            told = await client.call_tool("observe")
            local = envsuite.make("IteratedPrisoners").unwrapped
            local.reset(seed=2)
            assert told["text"]["player_0"] == local.describe(agent=0)
            told = await client.call_tool("act", action={"player_0": "A", "player_1": "B"})
            assert told["step"] == 1
            state = await client.state()
            assert state.step_count == 1

    asyncio.run(play())


@pytest.mark.parametrize("name", ["QuadHover", "MOConnect4", "QuadMultiHover", "IteratedPrisoners"])
def test_the_manifest_is_read_and_its_runtime_checks_pass(server, name, tmp_path):
    from openenv.validation.graders import Subject
    from openenv.validation.graders.runtime import (
        ObservationSchemaGrader,
        RewardWellFormedGrader,
        StateContractGrader,
    )
    from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
    from openenv.validation.runtime.collector import collect_runtime_evidence
    from openenv.validation.runtime.contracts import load_runtime_plan

    folder = tmp_path / "package"
    write_openenv(envsuite.card(name), folder)
    manifest = OpenEnvYamlParser().parse(folder)
    plan = load_runtime_plan(folder, manifest.execution)
    evidence = collect_runtime_evidence(f"{server.url}/{name}", plan, episode_timeout_s=30)
    assert evidence.failure_reason is None
    subject = Subject(folder, manifest, None, None, tmp_path, evidence)
    for grader in (RewardWellFormedGrader(), ObservationSchemaGrader(), StateContractGrader()):
        result = grader.run(subject)
        assert result.status.value == "pass", (grader.check_id, result.evidence)


def test_its_command_accepts_the_package(tmp_path):
    from openenv.validation import Level, run_validation

    write_openenv(envsuite.card("QuadHover"), tmp_path / "package")
    report = run_validation(tmp_path / "package", max_level=Level.STATIC, skip_build=True)
    assert {result.check_id: result.status.value for result in report.results}["static.manifest"] == "pass"
    assert report.verdict.value in ("pass", "warn"), json.loads(report.model_dump_json())
