"""The look of game files outside of the language server: made from the lexer's words, for Pygments and for editors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String

import gdl
from gdl.commands import cli
from gdl.syntax.lexer import POSITION_WORDS, QUANTIFIERS, SECTIONS, STATEMENTS, WORDS
from gdl.wings.editor.grammars import GameLexer, textmate

GAMES = sorted(ROOT.glob("games/**/*.game"))
SCOPES = {
    Comment.Single: "comment.line.number-sign", String: "string.quoted.double", Keyword: "keyword.control",
    Keyword.Declaration: "keyword.declaration", Keyword.Constant: "constant.language",
    Operator.Word: "keyword.operator.word", Operator: "keyword.operator", Number: "constant.numeric",
    Name.Class: "entity.name.type",
}  # fmt: skip


def looks(text: str) -> list[tuple[str, object]]:
    return [(word, kind) for kind, word in GameLexer().get_tokens(text) if word.strip()]


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_no_word_of_a_shipped_game_is_strange_or_lost(file: Path):
    text = file.read_text(encoding="utf-8")
    found = list(GameLexer().get_tokens(text))
    assert "".join(word for _, word in found).strip("\n") == text.strip("\n")
    assert not [word for kind, word in found if kind is Error]
    comments = [word for kind, word in found if kind is Comment.Single]
    assert len(comments) >= sum(line.startswith("#") for line in text.splitlines())


def test_every_word_of_the_lexer_has_its_look():
    for word in SECTIONS:
        assert looks(f"{word} x\n")[0] == (word, Keyword.Declaration)
    for word in STATEMENTS:
        assert looks(f"    {word} x\n")[0] == (word, Keyword)
    for word in QUANTIFIERS:
        assert (word, Keyword) in looks(f"define f = {word} x in S: true\n")
        assert (word, Keyword) not in looks(f"define f = {word} + 1\n")
    for word in WORDS:
        assert next(kind for text, kind in looks(f"define f = {word}\n") if text == word) in (
            Keyword, Keyword.Constant, Operator.Word,
        )  # fmt: skip


def test_words_at_the_beginning_of_later_lines_have_their_look():
    found = looks('variant "Short"\n    parameters\n        n = 3\naction go\n    next everyone\n')
    assert ("parameters", Keyword.Declaration) in found and ("next", Keyword) in found


def test_a_name_that_is_a_statement_elsewhere_is_a_name_where_it_is_assigned():
    assert Keyword not in (looks("    stop := 1\n")[0][1], looks("    stop[1] := 1\n")[0][1])


@pytest.mark.parametrize(("head", "word"), [(head, word) for head in POSITION_WORDS for word in POSITION_WORDS[head]])
def test_words_behind_position_and_notation_have_their_look_there_alone(head: str, word: str):
    for begins in ("", "    "):
        assert (word, Keyword) in looks(f"{begins}{head} {word} x > 0\n")
        assert (word, Keyword) not in looks(f'{begins}{head} {word} "8/8 w"\ndefine {word} = 1\n')
    row = next(row["match"] for row in textmate()["patterns"] if word in row["match"])
    assert re.search(row, f"{head} {word} x", re.MULTILINE)[0] == word


def test_the_grammar_for_editors_knows_the_same_words():
    found = textmate()
    patterns = [re.compile(row["match"], re.MULTILINE) for row in found["patterns"]]
    for word in SECTIONS | STATEMENTS | WORDS:
        line = f"{word} x" if word in SECTIONS else f"    {word} x"
        assert any(word in match[0] for pattern in patterns if (match := pattern.search(line))), word
    printed = CliRunner().invoke(cli.commands, ["lsp", "--textmate"], prog_name="gdl")
    assert json.loads(printed.output) == found


@pytest.mark.slow
@pytest.mark.skipif(None in (shutil.which("npm"), shutil.which("node")), reason="no npm or no node is installed")
def test_visual_studio_code_gives_words_the_looks_that_pygments_gives(tmp_path: Path):
    words = ["npm", "install", "--silent", "--prefix", str(tmp_path), "vscode-textmate", "vscode-oniguruma"]
    if subprocess.run(words, capture_output=True, cwd=tmp_path).returncode:
        pytest.skip("npm cannot install the packages here")
    (tmp_path / "grammar.json").write_text(json.dumps(textmate()), encoding="utf-8")
    program = Path(__file__).with_name("textmate.mjs")
    words = ["node", str(program), str(tmp_path / "node_modules"), str(tmp_path / "grammar.json"), *map(str, GAMES)]
    told = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    for file, found in zip(GAMES, told, strict=True):
        # Pygments cuts what one scope covers into several words: letters are compared, blanks are not.
        letters = [(letter, scope) for word, scope in found for letter in word if not letter.isspace()]
        tokens = GameLexer().get_tokens(file.read_text(encoding="utf-8"))
        wanted = [(letter, SCOPES.get(kind, "source")) for kind, word in tokens for letter in word if letter.strip()]
        assert [(letter, scope.removesuffix(".game")) for letter, scope in letters] == [
            (letter, scope.removesuffix(".game")) for letter, scope in wanted
        ], file.name


def test_the_extension_is_a_folder_of_whole_files(tmp_path: Path):
    done = CliRunner().invoke(cli.commands, ["lsp", "--vscode", str(tmp_path / "new")], prog_name="gdl")
    assert done.exit_code == 0
    package = json.loads((tmp_path / "new" / "package.json").read_text())
    assert package["version"] == gdl.__version__
    assert f"--outfile={package['main'].removeprefix('./')}" in package["scripts"]["vscode:prepublish"]
    named = ["extension.js", "LICENSE", *(row["path"] for row in package["contributes"]["grammars"])]
    named += [row["configuration"] for row in package["contributes"]["languages"]]
    assert all((tmp_path / "new" / name).is_file() for name in named)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_the_extension_is_packed_without_a_question(tmp_path: Path):
    assert CliRunner().invoke(cli.commands, ["lsp", "--vscode", str(tmp_path)], prog_name="gdl").exit_code == 0
    for words in (["npm", "install", "--silent"], ["npx", "vsce", "package"]):
        subprocess.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, check=True, timeout=300)
    (packed,) = tmp_path.glob("*.vsix")
    with zipfile.ZipFile(packed) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist()}
    assert {"dist/extension.js", "game.tmLanguage.json", "LICENSE.txt"} <= names
    assert not any(name.startswith("node_modules") for name in names)
