"""The playground: what it asks of gdl is answered, its folder is whole, and in a browser rules are written and played."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from browsers import CHROMIUM, FIREFOX, WATCH, Words, chromium, firefox, listening, with_script
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.commands import cli
from gdl.errors import Refusal
from gdl.render.page import csp_hash
from gdl.wings.page import playground as module
from gdl.wings.page.playground import write_playground
from gdl.wings.page.playground_answers import answer

NIM = """players You, Other
state
    left: 0..12 = 12
action take(n: 1..3) when n <= left
    left := left - n
terminal
    left = 0 -> lose mover
"""
TREE = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))\n"
NPM = shutil.which("npm")


def ask(what: str, text: str = "", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps({"ask": what, "text": text, **more})))
    return found


def test_what_is_wrong_is_told_with_its_place():
    assert ask("check", NIM) == {"problems": [], "name": "playground"}
    wrong = f"# 🂡\n{NIM}".replace("left - n", "left - m")
    ((problem,), name) = ask("check", wrong).values()
    at = wrong.index("left - m") + len("left - ") + 1  # a sign beyond 16 bits counts twice
    assert (problem["from"], problem["to"], problem["code"], name) == (at, at + 1, "unknown-name", "")
    assert "no name is called 'm'" in problem["message"] and "help: declare it" in problem["message"]


def test_words_are_completed():
    found = ask("complete", NIM.replace("left - n", "le"), at=NIM.index("left - n") + 2)
    assert found["from"] == NIM.index("left - n") and {"label": "left", "detail": "variable"} in found["offers"]


def test_sections_and_statements_are_offered_with_help_and_make_a_game():
    """All snippets as they stand are one game, the statements in its action; trees and matrices need players alone."""
    text = (ROOT / "gdl/wings/editor/snippets.txt").read_text("utf-8")
    blocks = {block.split(":")[0]: block.split("\n", 1)[1].rstrip() for block in text.strip().split("\n\n")}
    plain = {word: re.sub(r"\$\{(\w+)\}", r"\1", body) for word, body in blocks.items()}
    inside = "".join(
        f"\n    {line}" for word in ("let", "require", "choose", "if", "for") for line in plain.pop(word).split("\n")
    )
    trees = [plain.pop("tree"), plain.pop("matrix")]
    plain["action"] += inside
    for rules in ("\n".join(plain.values()), *(f"players MAX, MIN\n{tree}" for tree in trees)):
        assert [each["message"] for each in ask("check", rules)["problems"] if not each["warning"]] == []
    (offer,) = ask("complete", "act", at=3)["offers"]
    assert offer["snippet"] == blocks["action"] and offer["info"].startswith("what the mover can do")


@pytest.mark.thorough
def test_rules_are_solved_drawn_and_played():
    assert "Other wins 1" in ask("solve", NIM)["text"]
    for graph in (TREE, gdl.shipped()["prisoners"].read_text("utf-8")):
        assert 'id="picture" tabindex="0"><svg' in ask("play", graph)["html"]
    assert ask("draw", NIM)["html"].startswith("<svg") and ask("draw", TREE)["html"].count('class="') > 5
    assert all("<title>playground</title>" in ask("play", text)["html"] for text in (NIM, TREE))
    assert ask("game", name="chess")["text"] == gdl.shipped()["chess"].read_text(encoding="utf-8")
    assert ask("games")["games"] == sorted(gdl.shipped())


def test_what_cannot_be_done_is_told():
    assert ask("play", TREE.replace("14", "?x"))["problem"].endswith("leaves numbers open; give them by --set.")
    assert ask("solve", "players A,,")["problem"].startswith("playground:1:")


def packages(folder: Path) -> Path:
    """A folder as npm leaves it, with packages that hold next to nothing."""
    needs = {"codemirror": ["@codemirror/state", "crelt"], "@codemirror/view": ["@codemirror/state"]}
    for name in ("pyodide", "crelt", *module.EDITOR):
        place = folder / "node_modules" / name
        place.mkdir(parents=True)
        entry = {"exports": {"import": "./src/index.js"}} if name == "crelt" else {"module": "src/index.js"}
        told = {"name": name, "dependencies": dict.fromkeys(needs.get(name, ()), "1"), **entry}
        (place / "package.json").write_text(json.dumps(told), encoding="utf-8")
        (place / "src").mkdir()
        (place / "src" / "index.js").write_text(f"// {name}", encoding="utf-8")
    for name in module.PYODIDE:
        (folder / "node_modules" / "pyodide" / name).write_text("", encoding="utf-8")
    return folder


@pytest.mark.thorough
def test_the_folder_holds_all_that_the_page_asks_for(tmp_path: Path):
    write_playground(tmp_path / "one", packages(tmp_path / "npm"))
    page = (tmp_path / "one" / "index.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="importmap">(.*?)</script>', page)
    assert found
    imports = json.loads(found[1])["imports"]
    assert {*module.EDITOR, "crelt"} == set(imports)
    for name, place in imports.items():
        assert (tmp_path / "one" / place).read_text(encoding="utf-8") == f"// {name}"
    script = (tmp_path / "one" / "playground.js").read_text(encoding="utf-8")
    assert set(re.findall(r'from "([^."][^"]*)"', script)) <= set(imports)
    assert not re.findall(r"https?://", page + script)
    with ZipFile(tmp_path / "one" / "gdl.zip") as archive:
        names = set(archive.namelist())
    assert {
        "gdl/__init__.py",
        "gdl/syntax/grammar.lark",
        "gdl/solvers/auto.py",
        "solvers.py",
        "lark/__init__.py",
        "games/chess.game",
    } <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("/")]
    write_playground(tmp_path / "two", tmp_path / "npm")
    assert (tmp_path / "two" / "gdl.zip").read_bytes() == (tmp_path / "one" / "gdl.zip").read_bytes()


def test_missing_packages_are_named_with_the_command_that_brings_them(tmp_path: Path):
    with pytest.raises(Refusal, match=r"has no pyodide, codemirror, .*: npm install --prefix .* pyodide codemirror@6"):
        write_playground(tmp_path / "site", tmp_path)
    done = CliRunner().invoke(cli.commands, ["site", "-o", str(tmp_path / "site"), "--playground", str(tmp_path)])
    assert done.exit_code != 0 and not (tmp_path / "site").exists()


def test_a_package_names_no_file_outside_it(tmp_path: Path):
    told = packages(tmp_path / "npm") / "node_modules" / "crelt" / "package.json"
    (tmp_path / "secret.txt").write_text("a secret")
    told.write_text(json.dumps({"name": "crelt", "module": "../../../secret.txt"}), encoding="utf-8")
    with pytest.raises(Refusal, match="the package crelt names a file that is not in it"):
        write_playground(tmp_path / "site", tmp_path / "npm")


@pytest.mark.thorough
def test_the_policy_allows_what_stands_in_the_page_and_no_more(tmp_path: Path):
    write_playground(tmp_path / "site", packages(tmp_path / "npm"))
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    allows = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allows["default-src"] == "'none'" and "'unsafe-inline'" not in policy and "http" not in policy
    inline = re.findall(r"<script([^>]*)>(.+?)</script>", page, re.DOTALL)
    assert [f"'{csp_hash(text)}'" in allows["script-src"].split() for kind, text in inline] == [
        True,
        False,
        False,
    ]  # and data
    played = ask("play", NIM)["html"]  # a frame inherits what the page may load
    for text in re.findall(r"<script(?: id=\"engine\"| type=\"module\")?>(.+?)</script>", played, re.DOTALL):
        assert f"'{csp_hash(text)}'" in allows["script-src"].split()
    for text in re.findall(r"<style>(.*?)</style>", page + played, re.DOTALL):
        assert f"'{csp_hash(text)}'" in allows["style-src"].split()
    script = (tmp_path / "site" / "playground.js").read_text(encoding="utf-8")
    assert f'cspNonce.of("{module.NONCE}")' in script and f"'nonce-{module.NONCE}'" in allows["style-src"]


# A frame is a sandbox: what it does is told by a script that the test puts into it.
IN_FRAME = """
    addEventListener("load", async () => {
        while (!window.gdl) await new Promise((done) => setTimeout(done, 20));  // the game's module is compiled first
        const game = window.gdl;
        game.seats("person", "person");
        for (const name of ["e2e4", "d7d5", "e4d5"]) game.play(name);
        await game.reply(0.3);
        parent.postMessage({ moves: game.moves().length, origin, refused }, "*");
    });
"""
HOOKED = """
    const [meta, watch, played] = %s;
    const Plain = Blob;
    window.Blob = class extends Plain {
        constructor(parts, about) {
            const hooked = (page) => page.replace(/<meta http-equiv="Content-Security[^>]*>/, `$&<script>${watch}</${"script"}>`)
                .replace("script-src ", `script-src ${meta} `).replace("</body>", `<script>${played}</${"script"}></body>`);
            super(about?.type === "text/html" ? parts.map(hooked) : parts, about);
        }
    };
    const heard = new Promise((done) => addEventListener("message", ({ data }) => done(data), { once: true }));
"""


def visit(folder: Path, body: str, fragment: str = "", browser: Words = chromium) -> Any:
    """The result of a script on the page, in a browser that reaches this machine alone."""
    allowed = " ".join(f"'{csp_hash(text)}'" for text in (WATCH, IN_FRAME))
    script = f"""
        const result = {{}};
        const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
        {HOOKED % json.dumps([allowed, WATCH, IN_FRAME])}
        try {{ while (!window.playground) await wait(50); {body} }} catch (error) {{ result.error = String(error.stack); }}
        result.refused = refused;
        fetch("/told", {{ method: "POST", body: JSON.stringify(result) }});
    """
    page = (folder / "index.html").read_text(encoding="utf-8")
    tried = with_script(page.replace("script-src ", f"script-src {allowed} ", 1), script)
    (folder / "tried.html").write_text(tried, encoding="utf-8")
    with listening(folder) as listener:
        found = listener.told(browser, folder, f"{listener.address}tried.html{fragment}", "360,740", 120)
    assert found.pop("refused") == []
    return found


def bomb(letters: int) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(b"a" * letters) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or NPM is None, reason="no chromium or no npm is installed")
def test_crazyhouse_is_written_played_and_shared(tmp_path: Path):
    words = [str(NPM), "install", "--silent", "--prefix", str(tmp_path / "npm"), "pyodide", "codemirror@6.0.2"]
    if subprocess.run(words, capture_output=True, cwd=tmp_path).returncode:
        pytest.skip("npm cannot install the packages here")
    write_playground(tmp_path / "site", tmp_path / "npm")
    body = """
        const { text } = await playground.ask({ ask: "game", name: "crazyhouse" });
        playground.write(text.replace("game \\"Crazyhouse\\"", "gam \\"Crazyhouse\\""));
        while (!document.querySelector("#problems button")) await wait(50);
        result.wrong = document.querySelector("#problems button").textContent;
        playground.write(text);
        while (document.querySelector("#problems button")) await wait(50);
        await playground.show("play");
        const frame = document.querySelector("#shown iframe");
        result.played = await heard;
        try { result.reached = String(frame.contentWindow.gdl); } catch (wrong) { result.reached = wrong.name; }
        playground.write("players MAX, MIN\\ntree MAX(3, ?x)");
        result.stale = !document.getElementById("stale").hidden;
        result.link = (await playground.link()).split("#")[1];
        await playground.show("draw");
        result.drawn = document.querySelector("#shown").textContent.length;
        result.font = getComputedStyle(document.querySelector(".cm-gutters")).display;
        result.wide = document.documentElement.scrollWidth <= innerWidth;
    """
    for browser in (chromium, firefox) if FIREFOX else (chromium,):
        found = visit(tmp_path / "site", body, browser=browser)
        assert (
            "line" in found["wrong"] and found["wide"] and found["font"] == "flex" and found["drawn"] and found["stale"]
        )
        assert found["played"] == {"moves": 4, "origin": "null", "refused": []} and found["reached"] == "SecurityError"
        body_of_link = "result.text = playground.text();"
        shared = visit(tmp_path / "site", body_of_link, f"#{found['link']}", browser)
        assert shared == {"text": "players MAX, MIN\ntree MAX(3, ?x)"}
        told = """
            result.told = document.querySelector("#shown").textContent;
            result.text = playground.text().length;
        """
        for letters in (2_000_000, 80_000_000):
            found = visit(tmp_path / "site", told, f"#{bomb(letters)}", browser)
            assert found["told"] == "The link holds more than a game can be: 1,048,576 bytes." and found["text"] < 1000
        assert visit(tmp_path / "site", told, "#AAAA", browser)["told"] == "The link holds no rules."
