"""The play of a page without the page: its positions, seats, links and words, in Node."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from page_script import NODE, game_data, needs_node

import gdl
from gdl.interpreter.rules_game import playable
from gdl.wings.page import play_page

ALONE = """
const told = JSON.parse(require("fs").readFileSync(0));
(async () => {
  const data = { words: {}, played: [], boards: [], hidden: false, scale: {}, ...told.data };
  const play = new Play(data, await Game.made(data.game));
  const taken = (square) => `take(${square})`;
  const names = (place = play.at) => play.path(place).map(({ name }) => name.replace(/^take.(.*).$/, "$1"));
  const result = {};
  BODY
  console.log(JSON.stringify(result));
})();
"""


def alone(name: str, body: str, **data: Any) -> Any:
    """The result of a script that is given the play of a shipped game, with no page around it."""
    assert NODE is not None
    game = playable(gdl.load(name).model)
    whole = play_page.join_scripts((*play_page.ENGINE, "play.js", "link.js", "words.js")) + ALONE.replace("BODY", body)
    told = json.dumps({"data": {"game": game_data(game), **data}})
    done = subprocess.run([NODE, "-e", whole], input=told, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
def test_a_play_tells_its_views_and_keeps_what_was_tried():
    body = """
        const seen = [];
        class Seen extends Part { show(moved = false) { seen.push([moved, names().length, this.play.mover()]); } }
        new Seen(play);
        play.sit(["person", "person"]);
        for (const name of ["a1", "b2", "c3"]) play.go(taken(name));
        result.refused = play.go(taken("a1"));
        result.seen = [...seen];
        play.takeBack();
        play.go(taken("c1"));
        result.line = names();
        result.others = play.at.parent.children.map((place) => names(place).pop());
        play.visit(play.earlier(true));
        result.looks = [play.looks, names(play.wholeLine().pop())];
        play.newGame();
        result.fresh = [names(), play.looks, play.start.anew];
        play.go(taken("b2"));
        result.kept = play.start.children.map((place) => names(place).pop());
    """
    assert alone("tic_tac_toe", body) == {
        "refused": False,
        "seen": [[True, 0, 0], [True, 1, 1], [True, 2, 0], [True, 3, 1]],
        "line": ["a1", "b2", "c1"],
        "others": ["c3", "c1"],
        "looks": [True, ["a1", "b2", "c3"]],
        "fresh": [[], False, True],
        "kept": ["b2", "a1"],
    }


@needs_node
def test_a_link_leads_to_the_same_play():
    body = """
        play.sit(["person", "computer"]);
        for (const name of ["a1", "b2", "c3"]) play.push(taken(name));
        play.stand(play.at.parent);
        play.push(taken("c1"));
        play.at.comment = "why not? ; / , =";
        const link = linkTo(play);
        const again = new Play(data, play.game);
        readLink(again, link);
        result.same = linkTo(again) === link && again.notice === "";
        result.line = [again.seated, names(again.at), again.at.comment];
        readLink(again, "pp/take(a1)/take(a1)");
        result.refused = [names(again.at), again.notice];
        readLink(again, "pp/%E0%A4%A");
        result.broken = [again.path().length, again.notice];
    """
    found = alone("tic_tac_toe", body)
    assert found["same"]
    assert found["line"] == [["person", "computer"], ["a1", "b2", "c1"], "why not? ; / , ="]
    assert found["refused"] == [["a1"], "The link names a move that is not possible, or too many."]
    assert found["broken"] == [0, "The link cannot be read: this is a new game."]


@needs_node
def test_a_play_of_hands_is_sealed_seen_by_one_and_told_in_words():
    body = """
        play.drawChance();
        play.sit(["person", "person"]);
        result.curtained = [play.viewer, play.isCurtained(), play.isOpen()];
        play.looked = 0;
        result.open = [play.isCurtained(), play.isOpen(), turnInWords(play)];
        const link = linkTo(play);
        result.sealed = !names().some((name) => link.includes(name));
        readLink(play, link);
        result.same = linkTo(play) === link;
        while (play.mover() !== null) play.go(play.options()[0].name);
        result.end = turnInWords(play).slice(0, 18);
    """
    assert alone("kuhn", body, hidden=True) == {
        "curtained": [0, True, False],
        "open": [False, True, "P1 to move"],
        "sealed": True,
        "same": True,
        "end": "The game is over: ",
    }
