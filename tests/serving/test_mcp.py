"""Assistants play over the Model Context Protocol: by hand, and with the official client."""

import asyncio
import json
import subprocess
import sys
import urllib.request

import pytest

import envsuite
from envsuite.serving.mcp import Tools, _step
from envsuite.serving.sessions import Step, Table


@pytest.fixture(scope="module")
def table():
    one = Table(envsuite.card("IteratedPrisoners"), 8)
    yield one
    one.shut()


def call(method, number=1, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def talk(table, *messages, **settings):
    async def speak():
        session = table.open()
        tools = Tools(table, session, **settings)
        try:
            return [await tools.handle(message) for message in messages]
        finally:
            await table.close(session)

    return asyncio.run(speak())


def test_an_assistant_plays_an_episode(table):
    begin = call("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"})
    act = call("tools/call", name="act", arguments={"action": {"player_0": "A", "player_1": "B"}})
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    hello, nothing, listed, seen, *played = talk(
        table, begin, note, call("tools/list"), call("tools/call", name="observe"), *[act] * 11, seed=5, control=True
    )
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert nothing is None
    assert [tool["name"] for tool in listed["result"]["tools"]] == ["observe", "act", "begin"]
    local = envsuite.make("IteratedPrisoners").unwrapped
    local.reset(seed=5)
    assert local.describe() in seen["result"]["content"][0]["text"]
    assert played[9]["result"]["structuredContent"]["done"] is True
    assert "The episode is over after 10 steps." in played[9]["result"]["content"][0]["text"]
    assert played[10]["result"]["isError"] is True
    assert "ended" in played[10]["result"]["content"][0]["text"]


def test_bad_calls_are_answered_and_take_no_step(table):
    cases = [
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ([], -32600),
        (7, -32600),
        (call("nothing"), -32601),
        (call("tools/call", name="rm"), -32602),
        (call("tools/call", name=["act"]), -32602),
        (call("tools/call", name="act", arguments={"path": "/etc"}), -32602),
        (call("tools/call", name="act", arguments=["x"]), -32602),
        ({**call("ping"), "params": [1]}, -32602),
        ({**call("ping"), "id": {}}, -32600),
        ({**call("ping"), "id": True}, -32600),
    ]
    for message, code in cases:
        (reply,) = talk(table, message)
        assert reply["error"]["code"] == code, message
    for arguments in ({}, {"action": "A"}, {"action": {"player_0": "A"}}, {"action": {"player_0": "A", "player_1": 9}}):
        (reply,) = talk(table, call("tools/call", name="act", arguments=arguments))
        assert reply["result"]["isError"] is True, arguments


def test_texts_are_words_and_numbers_are_actions():
    assert _step("go") == Step(words="go")
    assert _step(3) == Step(3)
    assert _step({"a": "x", "b": "y"}) == Step(words={"a": "x", "b": "y"})
    assert _step({"a": 1, "b": 2}) == Step({"a": 1, "b": 2})


def command(*arguments):
    return [sys.executable, "-m", "envsuite.cli", "serve", *arguments]


def test_lines_in_and_lines_out():
    lines = [
        json.dumps(call("initialize", protocolVersion="2030-01-01")),
        "",
        "{no json",
        "[" * 100_000,
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json.dumps(call("tools/call", 2, name="observe")),
        json.dumps(call("tools/call", 3, name="begin", arguments={"seed": 9})),
    ]
    done = subprocess.run(
        command("IteratedPrisoners", "--mcp", "--seed", "5"),
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    hello, bad, deep, seen, begun = map(json.loads, done.stdout.splitlines())
    assert hello["result"]["protocolVersion"] == "2025-11-25"
    assert bad["error"]["code"] == deep["error"]["code"] == -32700
    assert seen["result"]["structuredContent"]["step"] == 0
    assert begun["id"] == 3


def test_the_official_client_plays_over_lines_and_http(server):
    mcp = pytest.importorskip("mcp")
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def play(read, write):
        async with mcp.ClientSession(read, write) as client:
            await client.initialize()
            tools = (await client.list_tools()).tools
            assert {"observe", "act", "begin"} == {tool.name for tool in tools}
            seen = await client.call_tool("observe", {})
            assert "Round 1 of 10" in seen.content[0].text
            acted = await client.call_tool("act", {"action": {"player_0": "A", "player_1": "B"}})
            assert "Reward" in acted.content[0].text

    async def over_lines():
        program, *arguments = command("IteratedPrisoners", "--mcp")
        import os

        settings = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
        async with stdio_client(settings) as (read, write):
            await play(read, write)

    async def over_http():
        from mcp.client import streamable_http

        connect = getattr(streamable_http, "streamable_http_client", None) or streamable_http.streamablehttp_client
        async with connect(f"{server.url}/IteratedPrisoners/mcp") as (read, write, *_):
            await play(read, write)

    asyncio.run(over_lines())
    asyncio.run(over_http())


def test_http_sessions_end_with_a_delete(server):
    place = f"{server.url}/IteratedPrisoners/mcp"

    def post(message, headers):
        return urllib.request.urlopen(urllib.request.Request(place, json.dumps(message).encode(), headers), timeout=10)

    with post(call("initialize", protocolVersion="2025-06-18"), {}) as reply:
        named = {"Mcp-Session-Id": reply.headers["Mcp-Session-Id"]}
    with post(call("tools/call", name="begin", arguments={"seed": 3}), named) as reply:
        assert json.load(reply)["result"]["isError"] is False
    with urllib.request.urlopen(urllib.request.Request(place, headers=named, method="DELETE"), timeout=10) as reply:
        assert reply.status == 204
    with post(call("tools/call", name="observe"), named) as reply:
        assert json.load(reply)["error"]["message"] == "Unknown session_id"
