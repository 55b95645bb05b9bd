"""Neovim's built-in client, without a screen, with gdl lsp: what a user sees of a file with a slip in it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

pytest.importorskip("pygls")

LUA = """
local function ask(method, position)
  local about = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = position, context = {} }
  local found = vim.lsp.buf_request_sync(0, method, about, 20000) or {}
  for _, each in pairs(found) do return each.result end
end
local client = vim.lsp.start_client({ name = "gdl", cmd = COMMAND, root_dir = "/" })
vim.lsp.buf_attach_client(0, client)
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local told = { diagnostics = vim.diagnostic.get(0) }
told.hover = ask("textDocument/hover", { line = LINE, character = 0 })
told.outline = ask("textDocument/documentSymbol")
vim.fn.writefile({ vim.fn.json_encode(told) }, OUT)
vim.cmd("qall!")
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_what_is_wrong_and_what_words_mean(tmp_path: Path):
    text = (ROOT / "games" / "connect_four.game").read_text(encoding="utf-8")
    file, script, out = tmp_path / "slip.game", tmp_path / "ask.lua", tmp_path / "told.json"
    file.write_text(text.replace("connects(Red)", "conects(Red)"), encoding="utf-8")
    line = text[: text.index("\nterminal")].count("\n") + 1
    command = ", ".join(json.dumps(word) for word in (sys.executable, "-m", "gdl", "lsp"))
    known = LUA.replace("COMMAND", f"{{ {command} }}").replace("LINE", str(line)).replace("OUT", json.dumps(str(out)))
    script.write_text(known, encoding="utf-8")
    words = ["nvim", "--headless", "-u", "NONE", "-n", str(file), "-c", f"luafile {script}"]
    subprocess.run(words, check=True, timeout=120, stdin=subprocess.DEVNULL, cwd=tmp_path)
    told = json.loads(out.read_text(encoding="utf-8"))
    (problem,) = told["diagnostics"]
    assert (
        problem["message"].startswith("no definition is called 'conects'") and problem["code"] == "unknown-definition"
    )
    assert problem["lnum"] == text[: text.index("connects(Red)")].count("\n")
    assert "`terminal`" in told["hover"]["contents"]["value"]
    assert {"Square", "disc", "drop"} <= {each["name"] for each in told["outline"]}
