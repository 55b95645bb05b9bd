"""The site: every page of the manual and every game is there, all links lead somewhere, and nothing is asked of a
network."""

from __future__ import annotations

import json
import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browsers import CHROMIUM, FIREFOX, chromium, firefox, listening, needs_browser, with_script
from click.testing import CliRunner
from installed import without_module
from places import EXERCISES

import gdl
from gdl.commands import cli
from gdl.web import api_page
from gdl.web.manual import page_names
from gdl.wings.page import site as module

pytestmark = pytest.mark.thorough


class Read(HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    lessons = ("battle_of_the_sexes", "chance_leaves", "figure_5_2", "three_players")
    shipped, few = gdl.shipped, ("tic_tac_toe", "kuhn", "prisoners", "two_roads", "chess", *lessons)
    with pytest.MonkeyPatch.context() as patch:  # all games take half a minute
        patch.setattr(module.loading, "shipped", lambda: {name: shipped()[name] for name in few})
        done = CliRunner().invoke(cli.commands, ["site", "-o", str(folder)], prog_name="gdl")
    assert done.exit_code == 0, done.output
    return folder


def test_every_page_of_the_manual_is_there_and_in_the_contents(site: Path):
    names = set(page_names())
    assert {file.stem for file in (site / "manual").glob("*.html")} == names
    home = Read((site / "index.html").read_text(encoding="utf-8"))
    assert {f"manual/{name}.html" for name in names} <= set(home.links)


def test_the_first_page_holds_the_games_the_playground_and_a_path_for_each_reader(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    few = {"prisoners": gdl.shipped()["prisoners"]}
    monkeypatch.setattr(module.loading, "shipped", lambda: few)
    monkeypatch.setattr(module, "lesson_pages", lambda engine: [("en", engine)])  # of games that are not there
    for more, served, engine in (
        ({}, False, ""),
        ({}, True, "served.js"),
        ({"Playground": "playground/index.html"}, True, "../playground/worker.js"),
    ):
        module.write_site(tmp_path, lambda number: None, more, served)
        assert (tmp_path / "lessons" / "en.html").read_text(encoding="utf-8") == engine
    home = (tmp_path / "index.html").read_text(encoding="utf-8")
    frame = '<iframe src="playground/index.html" title="Playground" loading="lazy"></iframe></details>'
    assert frame in home and "iframe" not in (site / "index.html").read_text(encoding="utf-8")
    assert 'href="games/prisoners.html"' in home and '<td><a href="manual/first-game.html">' in home


def test_all_links_lead_to_what_is_there(site: Path):
    pages = {file.resolve(): Read(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
    missing = []
    for file, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            found = (file.parent / target).resolve() if target else file
            if re.match(r"[a-z]+:", link):
                continue
            if not found.exists() or (anchor and found in pages and anchor not in pages[found].anchors):
                missing.append((file.name, link))
    assert missing == []


def test_pages_load_nothing_from_elsewhere(site: Path):
    for file in [*site.rglob("*.html"), site / "site.css"]:
        text = file.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(?:https?:)?//", text), file.name
        assert "@import" not in text and "url(http" not in text


def test_every_page_has_a_policy_that_allows_no_network_and_nothing_inline(site: Path):
    for file in site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
        assert policy.startswith("default-src 'none'; ") and "'unsafe-inline'" not in policy and "http" not in policy
        if file.parent.name not in ("games", "lessons") or "<nav" in text:  # pages of one file have hashes
            assert not re.findall(r"<style|<script>|<[^>]* (?:style|on\w+)=", text.partition("<body")[2]), file.name


@needs_browser
def test_a_browser_shows_the_pages_under_their_policy(site: Path, tmp_path: Path):
    """Styled and with the search at work, from a server as from a double click, and without anything refused."""
    tell = """
        const found = { open: document.getElementById("contents").open, wide: getComputedStyle(document.body).display };
        for (const image of document.images) image.loading = "eager";  // those below the window, too
        await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
        found.pictures = [...document.images].filter((image) => !image.naturalWidth).length;
        document.getElementById("search").value = "alpha-beta";
        document.getElementById("search").dispatchEvent(new Event("input"));
        found.links = document.querySelectorAll("#found a").length;
        found.refused = refused;
        fetch("/told", { method: "POST", body: JSON.stringify(found) });
    """
    script = f"addEventListener('load', async () => {{ {tell} }});"
    wanted = {"open": True, "wide": "flex", "pictures": 0, "links": 12, "refused": []}
    with listening(site) as listener:
        for number, page in enumerate(("index.html", "manual/students.html", "games/index.html")):
            tried = (site / page).with_name(f"tried{number}.html")
            tried.write_text(with_script((site / page).read_text(encoding="utf-8"), script, "text/javascript"), "utf-8")
            address = listener.address + tried.relative_to(site).as_posix()
            tried_by = [chromium] if FIREFOX is None else [chromium, firefox]
            for browser in tried_by:
                assert listener.told(browser, tmp_path, address) == wanted, (page, browser)
            tried.unlink()
    words = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900", "--dump-dom"]
    words += [f"--user-data-dir={tmp_path / 'opened'}", (site / "manual" / "students.html").as_uri()]
    shown = subprocess.run(words, capture_output=True, text=True, timeout=120, env=os.environ | {"HOME": str(tmp_path)})
    assert 'id="contents" open' in shown.stdout


@pytest.mark.parametrize("page", [page for page in EXERCISES if page in page_names()])
def test_answers_to_exercises_are_folded_away(page: str, site: Path):
    text = (site / "manual" / f"{page}.html").read_text(encoding="utf-8")
    *_, exercises = re.split(r'<h2 id="exercises">', text)
    assert exercises.count("<details><summary>Answers</summary>") == exercises.count("</details>") > 0
    assert "&lt;details" not in text and "<li>" not in "".join(
        re.findall("<details>.*?</details>", exercises, re.DOTALL)
    )


def test_a_game_is_played_on_its_page_or_its_rules_are_shown(site: Path):
    assert 'id="boards"' in (site / "games" / "chess.html").read_text(encoding="utf-8")
    tree = (site / "games" / "two_roads.html").read_text(encoding="utf-8")
    assert 'id="picture" tabindex="0"><svg' in tree and "Traveller" in tree


def test_the_search_knows_every_part(site: Path):
    text = (site / "search-index.js").read_text(encoding="utf-8")
    parts = json.loads(text.removeprefix("window.searchIndex = ").rstrip(";\n"))
    assert len(parts) > 150
    assert all((site / part["url"].partition("#")[0]).exists() for part in parts)
    assert any(part["title"] == f"{api_page.TITLE}: gdl.load" for part in parts)


@pytest.mark.slow
def test_the_site_of_all_games_is_built(tmp_path: Path):
    done = CliRunner().invoke(cli.commands, ["site", "-o", str(tmp_path)], prog_name="gdl")
    assert done.exit_code == 0
    assert {file.stem for file in (tmp_path / "games").glob("*.html")} == {*gdl.shipped(), "index"}


def test_without_the_package_that_reads_markdown_the_extra_is_named(tmp_path: Path):
    with without_module("markdown_it"):
        done = CliRunner().invoke(cli.commands, ["site", "-o", str(tmp_path / "site")])
    assert done.exit_code == 5 and "gdl[manual]" in done.output
