"""gdl mcp, asked by the client of the protocol's own kit; and what a call may read."""

import json
import subprocess
import sys

import pytest

from gdl.errors import WrongRequest
from gdl.wings.editor.language_model_command import SECONDS, TOOLS, command_line_of, describe_tools


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("solve", {"file": "../secret.game"}, "outside the folder"),
        ("solve", {"file": "/etc/passwd"}, "outside the folder"),
        ("solve", {"file": "link/secret.game"}, "outside the folder"),
        ("test", {"files": ["nim", ".."]}, "outside the folder"),
        ("judge", {"file": "nim", "profile": "../x.json"}, "outside the folder"),
        ("show", {"file": "nim", "record": "../x.play"}, "outside the folder"),
        ("solve", {"file": "nim", "solver": "python:own.py:search"}, "no solver is called"),
        ("solve", {"file": "nul\0.game"}, "outside the folder"),
        ("solve", {"file": "nim", "time": "soon"}, "'soon' is no number of seconds"),
        ("solve", {"file": "nim", "start": "../x.json"}, "is no value of start"),
        ("solve", {"file": "nim", "-o": "x.svg"}, "no argument '-o'"),
        ("solve", {"file": "nim", "output": "x.svg"}, "no argument 'output'"),
        ("solve", {"file": "nim", "workers": 4}, "no argument 'workers'"),
        ("playouts", {"file": "nim", "save": "x.jsonl"}, "no argument 'save'"),
        ("check", {"text": 5}, "'text' has the rules of a game as a text, and 5 is none"),
        ("check", {"text": ["players A"]}, "as a text"),
        ("format", {"file": "nim"}, "no tool is called 'format'"),
        (
            "check",
            {"text": "Here it is:\n```game\nplayers A\n```"},
            "code fence.*\n*.*send the lines between ``` alone",
        ),
        ("check", {"text": '{"game": "Nim", "players": ["A"]}'}, "the rules are JSON"),
        ("check", {"text": "players A, B\\nstate\\n    x: 0..1"}, "joined by a backslash and an n"),
        ("solve", {"file": "nim", "set": {"heaps": [1, 2]}}, r'write "set": \["heaps=1,2"\]'),
        ("solve", {"file": "nim", "set": [{"heaps": [1, 2]}, {"n": 3}]}, r'write "set": \["heaps=1,2", "n=3"\]'),
        ("solve", {"file": "nim", "set": [[1, 2]]}, "'set' is a list of texts"),
        ("ask", {"file": "nim", "question": {"a": 1}}, "write texts"),
    ],
)
def test_nothing_outside_the_folder_is_read_and_nothing_is_written(tmp_path, tool, given, said):
    (home := tmp_path / "home").mkdir()
    (home / "link").symlink_to(tmp_path)
    with pytest.raises(WrongRequest, match=said):
        command_line_of(home, tool, given)


def test_arguments_are_the_long_options(tmp_path):
    given = {"file": "nim", "set": ["heaps=1,2"], "depth": 3, "trace": True, "time": 9e9, "concept": None}
    words, text, _ = command_line_of(tmp_path, "solve", given)
    assert words[4:] == ["solve", "--trace", "--set=heaps=1,2", "--depth=3", "--time=300", "--json", "--", "nim"]
    words, text, _ = command_line_of(tmp_path, "check", {"text": "players A", "variant": "--fix"})
    assert words[4:] == ["check", "--variant=--fix", f"--time={SECONDS:g}", "--json", "--", "-"] and text == "players A"
    words, *_ = command_line_of(tmp_path, "ask", {"question": "X can force win X", "file": "tic_tac_toe"})
    assert words[-2:] == ["tic_tac_toe", "X can force win X"]  # whatever their order in the call
    assert describe_tools()["ask"][1]["required"] == ["question"]


def test_one_file_is_a_list_of_one(tmp_path):
    words, *_ = command_line_of(tmp_path, "check", {"file": "nim"})
    assert words[-2:] == ["--", "nim"]
    with pytest.raises(WrongRequest) as wrong:
        command_line_of(tmp_path, "guide", {"page": "trees"})
    assert "it has text, words" in str(wrong.value)


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool != "guide"])
def test_each_tool_says_that_it_takes_a_time(tool):
    assert describe_tools()[tool][1]["properties"]["time"]["type"] == "number"


@pytest.mark.thorough
def test_every_call_is_answered(tmp_path):
    """Also one with half a surrogate pair in its text, and one whose text is far too large."""
    pytest.importorskip("mcp", reason="the extra gdl[mcp] is not installed")
    words = [sys.executable, "-P", "-m", "gdl", "mcp", str(tmp_path)]
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:

        def answer(method: str, **params: object) -> str:
            asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
            server.stdin.write(asked + "\n")
            server.stdin.flush()
            return server.stdout.readline()

        answer("initialize", **about)
        server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        for text, code in (
            ("a\ud800", "unknown-section"),
            ("#" * 2_100_000, "file-too-large"),
            ("\\ud800", "unknown-sign"),
        ):
            assert code in answer("tools/call", name="check", arguments={"text": text})
        server.stdin.close()


@pytest.mark.thorough
def test_a_model_asks(tmp_path):
    mcp = pytest.importorskip("mcp", reason="the extra gdl[mcp] is not installed")
    from anyio import run
    from mcp.client.stdio import stdio_client

    (tmp_path / "own.game").write_text("players MAX, MIN\ntree MAX(MIN(3, 12), MIN(2, 4))\n")

    async def converse():
        server = mcp.StdioServerParameters(command=sys.executable, args=["-P", "-m", "gdl", "mcp", str(tmp_path)])
        async with stdio_client(server) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            assert {"check", "ask"} < {tool.name for tool in (await session.list_tools()).tools}
            solved = await session.call_tool("solve", {"file": "own.game"})
            assert solved.structured_content["value"] == {"MAX": 3, "MIN": -3} and not solved.is_error
            broken = await session.call_tool("check", {"text": "players A\nfoo\n"})
            assert broken.structured_content["problems"][0]["code"] == "unknown-section" and broken.is_error
            refused = await session.call_tool("solve", {"file": "../own.game"})
            assert refused.is_error and "outside the folder" in refused.content[0].text
            drawn = await session.call_tool("draw", {"file": "own.game", "format": "svg"})
            assert drawn.content[0].text.startswith("<svg")
            assert "Sections" in (await session.read_resource("gdl://card")).contents[0].text
            assert "take" in (await session.read_resource("gdl://games/nim")).contents[0].text
            with pytest.raises(Exception, match="no resource gdl://games/x"):
                await session.read_resource("gdl://games/x")

    run(converse)
