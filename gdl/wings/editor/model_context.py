"""A server of the Model Context Protocol, on standard input and output, by the official kit for it (the extra mcp)."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from gdl.errors import WrongRequest, clean
from gdl.processes import python_command

DONE = (0, 1, 4)  # exit statuses of commands that have an answer
LONGEST = 1_000_000  # characters of an answer
RESOURCE_SECONDS = 60.0
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)")  # of a text in JSON

Call = Callable[[str, Mapping[str, Any]], tuple[list[str], str, float]]


def serve(
    version: str,
    folder: Path,
    tools: Mapping[str, tuple[str, dict[str, Any]]],
    call: Call,
    resources: Mapping[str, tuple[str, list[str]]],
) -> None:
    """Answer until the other program closes the input; commands work in the `folder`. `tools`: by name a description
    and the schema of the arguments; `call`: the command line of a call, its input, its seconds; `resources`: by address
    a name and the words of a command that prints it."""

    async def list_tools(context: Any, asked: Any) -> types.ListToolsResult:
        rows = [types.Tool(name=name, description=text, input_schema=form) for name, (text, form) in tools.items()]
        return types.ListToolsResult(tools=rows)

    async def call_tool(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, is_error = await _answer(folder, *call(asked.name, asked.arguments or {}))
        except (WrongRequest, ValueError) as wrong:
            text, is_error = str(wrong), True
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=_as_object(text), is_error=is_error
        )

    async def list_resources(context: Any, asked: Any) -> types.ListResourcesResult:
        rows = [types.Resource(name=name, uri=uri, mime_type="text/plain") for uri, (name, _) in resources.items()]
        return types.ListResourcesResult(resources=rows)

    async def read_resource(context: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if asked.uri not in resources:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {clean(asked.uri)}")
        words = python_command("-m", "gdl", *resources[asked.uri][1])
        text, _ = await _answer(folder, words, "", RESOURCE_SECONDS)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=asked.uri, mime_type="text/plain", text=text)]
        )

    server = Server(
        "gdl",
        version=version,
        instructions="Game theory by rules: read gdl://card, write a game, check it, test it, solve it.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )

    async def converse() -> None:
        typed: Any = _Input()  # no file, but only iterated over
        async with stdio_server(stdin=typed) as (heard, said):
            await server.run(heard, said, server.create_initialization_options())

    anyio.run(converse)


class _Input:
    """The lines of the standard input. Half a surrogate pair, which no text can have, becomes U+FFFD: a message with
    one would get no answer."""

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in anyio.wrap_file(TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")):
            yield _ESCAPE.sub(lambda found: "\\ufffd" if found["half"] else found[0], line)


async def _answer(folder: Path, words: list[str], text: str, seconds: float) -> tuple[str, bool]:
    """Run a command with a text as its input. Returns its output, and True if it failed; it is ended after
    `seconds`."""
    try:
        with anyio.fail_after(seconds), TemporaryFile() as typed:  # no pipe, which breaks if not all of it is read
            typed.write(text.encode())
            typed.seek(0)
            done = await anyio.run_process(words, stdin=typed, check=False, cwd=folder, env=_quiet_environment())
    except TimeoutError:
        return f"stopped after {seconds:g} s", True
    printed = done.stdout.decode(errors="replace")
    if len(printed) > LONGEST:
        return f"the answer has {len(printed):,} characters: ask for less", True
    is_error = done.returncode not in DONE
    return printed if printed.strip() else done.stderr.decode(errors="replace")[:LONGEST], is_error


def _quiet_environment() -> dict[str, str]:
    """The environment variables of a command, which switch colours off."""
    return {**os.environ, "NO_COLOR": "1"}


def _as_object(text: str) -> dict[str, Any] | None:
    """The object that an answer in JSON is; None for any other answer."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
