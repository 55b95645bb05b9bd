// The strips of the players: who plays for them, what they hold and what they have taken, and how they see the board.
import { picture } from "./elements.js";
import { inColour, isDrawn, manSign } from "./men.js";
import { Part } from "./play.js";
import { stone } from "./things.js";

export class Strips extends Part {
  constructor(play, squares, things) {
    super(play);
    this.squares = squares;
    this.things = things;
    this.rows = this.game.players.map((name, p) => this.strip(name, p)); // made once: who has opened a choice in one keeps it open
  }

  /** The strips, that of the player whose side is shown below. */
  show() {
    const { play, rows } = this;
    rows.forEach((row, p) => {
      const moves = play.node.kind === "everyone" ? play.node.options[p].length > 0 : play.mover() === p;
      row.classList.toggle("turn", moves);
      row.querySelector("select").value = play.seated[p];
      const thought = play.waits && play.mover() === p ? [make("span", { className: "thinks", textContent: play.say("thinking …") })] : [];
      row.lastChild.replaceChildren(...thought, ...(play.isCurtained() ? [] : [make("span", { className: "taken" }, ...this.takenBy(p)), ...this.things.belongings(p)]));
    });
    const below = play.below();
    if (byId("below").firstChild === rows[below]) return;
    byId("above").replaceChildren(...rows.filter((_, p) => p !== below));
    byId("below").replaceChildren(rows[below]);
  }

  /** The strip of a player, with the choice of who plays for them. */
  strip(name, player) {
    const { play } = this;
    const onchange = ({ target }) => play.sit(play.seated.with(player, target.value));
    const made = make("select", { onchange, ariaLabel: play.say("Who plays {0}", name) }, new Option(play.say("a person"), "person"), new Option(play.say("the computer"), "computer"));
    return make("div", { className: "strip" }, stone(this.data.colours[player]), make("span", { className: "name", textContent: name }), made, make("span", { className: "theirs" }));
  }

  /** Pictures of the men of the start that have gone from the boards, of two players the other's; what has only changed
   * its sign has not gone, and what is in a hand is seen there. */
  takenBy(player) {
    const isHand = (variable) => variable.own && variable.indices.length === 2 && this.things.namesAlong(variable, 1).some((name) => manSign(this.data, name));
    if (this.data.hidden || this.game.players.length !== 2 || !this.data.boards.length || this.data.game.variables.some(isHand)) return [];
    const owner = 1 - player;
    const men = (cells) => this.data.boards.flatMap((board) => board.squares.map((square) => this.squares.standing(board, square, cells))).filter((each) => each.owner === owner && each.sign);
    const left = men(this.play.shownCells()).map(({ sign }) => sign);
    const all = men(this.game.view(this.play.start.state));
    const lost = Math.max(0, all.length - left.length);
    const gone = all.filter(({ sign }) => { const k = left.indexOf(sign); if (k >= 0) left.splice(k, 1); return k < 0; });
    return gone.slice(0, lost).map(({ name }) => manSign(this.data, name, owner)).map((glyph) => (isDrawn(glyph) ? picture(glyph, inColour(this.data.colours[owner])) : stone(this.data.colours[owner])));
  }
}
