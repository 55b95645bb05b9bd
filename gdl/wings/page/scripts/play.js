// A play: where it stands, what led there and what else was tried, who sits where, and what may be seen. It draws nothing:
// views watch it, and whoever moves for the computer.
import { drawByWeight } from "./hidden.js";

/** A phrase in the language of some words, with its parts. */
export const say = ({ words }, text, ...parts) => (words[text] ?? text).replace(/\{(\d)\}/g, (_, k) => parts[k]);

/** A position of a play: what led there, and the ways on that were tried; `row` is the number of what was done among so
 * many, `found` what the computer thinks of it. The first child is the main line, the others are variations; all are where
 * it is `anew`, a position from which a new game has not gone on. */
const fresh = (state) => ({ parent: null, children: [], anew: false, state, name: null, who: null, events: [], row: null, comment: "", mark: "", found: null });

export class Play {
  views = []; // what is drawn anew when anything changes
  viewer = null; // whose side is shown; null: everything
  looked = null; // the person who has lifted the curtain
  paused = false; // of two computers
  waits = false; // for a reply: nothing is open meanwhile
  looks = false; // at an earlier position: nobody moves for the computer there
  flipped = false; // the boards, to be seen from the other side than one's own,
  faced = false; // and whether that is the player's whose men stand above
  preferences = {}; // what is set up otherwise than at first, as it stands in the link: l3 for level 3, s10 for seconds
  above = null; // which of two players' men stand above the other's, if they face one another
  latin = false; // men of shogi with Latin letters
  notice = ""; // what is wrong, or was refused, until somebody moves
  at; node; // the present position, and what is to be done there
  chosen = []; // of a move at once: what each player has chosen so far, unseen by the others
  picked = []; // squares that were clicked on the way to a move
  advised = null; // the action that a hint named
  shortFor = (name, _state) => name; // what an action is called for short in a state
  thought = null; // what the computer thinks of the action that it is about to take

  constructor(data, game) {
    this.data = data;
    this.game = game;
    this.seated = game.players.map((_, p) => (p === 0 ? "person" : "computer"));
    this.restart();
  }

  say(text, ...parts) { return say(this.data, text, ...parts); }

  // ---- Where it stands ----

  get state() { return this.at.state; }

  /** The cells of the present position, as far as they may be shown; men of a track that were moved by clicks stand where
   * they go, though the move is not whole. */
  shownCells() {
    const seen = this.game.view(this.state, this.viewer);
    if (this.picked.length < 2 || this.data.boards[0].kind !== "lanes") return seen;
    const [cells, mover] = [[...seen], this.mover()];
    this.picked.forEach(({ cells: at }, k) => { if (k % 2 || this.picked[k + 1]) cells[at[mover]] = Number(cells[at[mover]]) + (k % 2 ? 1 : -1); });
    return cells;
  }

  /** The positions on the way to one, the first left out. */
  path(place = this.at) {
    const found = [];
    for (let here = place; here.parent; here = here.parent) found.unshift(here);
    return found;
  }

  get start() { return this.path()[0]?.parent ?? this.at; }

  /** What was done on the way, for whoever thinks about a position. */
  asking(place = this.at) {
    const [line, hidden] = [this.path(place), this.data.hidden];
    return { rows: line.map(({ row }) => row), player: hidden ? this.mover() : null, seed: hidden ? Math.floor(Math.random() * 2 ** 31) : line.length + 1 };
  }

  /** Who is to choose now; of those who move at once, the first who has not chosen yet. Null where nobody is. */
  mover() {
    if (this.node.kind === "decision") return this.node.player;
    if (this.node.kind !== "everyone") return null;
    const left = this.node.options.findIndex((own, p) => own.length && this.chosen[p] === undefined);
    return left < 0 ? null : left;
  }

  /** Who acts for a player in a state: of a team the one whose turn it is. */
  actor(player, state = this.state) {
    const turn = this.data.game.variables.find(({ look }) => look === "turn");
    return turn && player !== null ? this.game.text(turn.type)(this.game.view(state)[turn.place]) : this.game.players[player];
  }

  options() {
    if (this.mover() === null || this.waits || (this.looks && this.isSeated("computer"))) return [];
    return this.node.kind === "everyone" ? this.node.options[this.mover()] : this.node.options;
  }

  /** The position that follows one on the main line; null where none does. */
  following(place = this.at) { return place.anew ? null : place.children[0] ?? null; }

  /** The positions of the line on which the present one lies, on to its end. */
  wholeLine() {
    const found = this.path();
    for (let here = this.following(); here; here = this.following(here)) found.push(here);
    return found;
  }

  /** The next position before the present one in which somebody chooses, or the first such; null where none is. */
  earlier(first = false) {
    const places = this.path().map(({ parent }) => parent).filter(({ state }) => this.game.node(state).kind !== "chance");
    return (first ? places[0] : places.at(-1)) ?? null;
  }

  /** The position that the last move led to, behind which chance alone has acted. */
  lastMade() { return this.path().findLast(({ who }) => who !== null); }

  // ---- Who plays and who sees ----

  /** Whether a person, or the computer, plays for the one to move. */
  isSeated(who) { return this.mover() !== null && this.seated[this.mover()] === who; }
  areComputers() { return this.seated.every((each) => each === "computer"); }

  /** Give the players their seats, and go on. */
  sit(seated) {
    Object.assign(this, { seated, looked: null });
    this.settle();
  }

  /** Whose side is shown: in a game that hides something the person's, or the one's whose turn it is of several. */
  side() {
    const people = this.seated.flatMap((each, p) => (each === "person" ? [p] : []));
    if (!this.data.hidden || !people.length || this.node.kind === "end") return null;
    if (people.length === 1) return people[0];
    return [this.mover(), this.viewer].find((each) => people.includes(each)) ?? people[0];
  }

  /** Whether boards are seen from the second player's side. */
  get turned() { return this.flipped !== this.faced; }

  /** Whose strip is below: the only person's, or whose side is shown, unless the boards are flipped. */
  below() {
    const people = this.seated.flatMap((each, p) => (each === "person" ? [p] : []));
    return ((this.viewer ?? (people.length === 1 ? people[0] : 0)) + Number(this.flipped)) % this.seated.length;
  }

  isCurtained() { return this.viewer !== null && this.seated.filter((each) => each === "person").length > 1 && this.looked !== this.viewer; }

  /** Whether whoever looks may choose now. */
  isOpen() { return this.mover() !== null && !this.isCurtained() && (this.viewer === null || this.viewer === this.mover()); }

  /** Draw the views anew; where the position is another one (`moved`) they may act on it. */
  show(moved = false) {
    this.viewer = this.side();
    this.faced = this.above !== null && (this.below() !== Number(this.flipped)) === (this.above === 1);
    for (const view of this.views) view.show(moved);
  }

  /** Nobody waits any more for what was thought of; the computer moves where it is its turn. */
  settle() {
    this.waits = false;
    this.show(true);
  }

  // ---- Going on ----

  /** Play an action by its name; false where it is none. */
  go(name) {
    if (!this.options().some((each) => each.name === name)) return false;
    Object.assign(this, { notice: "", looks: false });
    if (this.node.kind === "everyone") {
      this.chosen[this.mover()] = name;
      Object.assign(this, { picked: [], advised: null });
      if (this.mover() === null) this.push(this.node.options.map((own, p) => (own.length ? this.chosen[p] : null)));
    } else this.push(name);
    this.drawChance();
    this.settle();
    return true;
  }

  /** Go on by a name, or by the names of all who chose at once; false where it is not possible. What was done here before
   * leads where it led. */
  push(name) {
    const { at, node, game } = this;
    let next = at.children.find((child) => String(child.name) === String(name));
    if (!next) {
      const choice = game.choice(node, name);
      if (choice === null) return false;
      const state = game.next(at.state, choice);
      next = { ...fresh(state), parent: at, name, row: [choice, (node.outcomes ?? node.options).length], who: node.kind === "decision" ? node.player : null, events: state.events };
      at.children.push(next);
    }
    if (at.anew) { // a new game makes it the main line
      at.children = [next, ...at.children.filter((each) => each !== next)];
      next.anew = next.children.length > 0;
      at.anew = false;
    }
    this.stand(next);
    return true;
  }

  /** Make it the present position. */
  stand(place) { Object.assign(this, { at: place, node: this.game.node(place.state), chosen: [], picked: [], advised: null }); }

  /** Nature's steps are drawn at once. */
  drawChance() {
    while (this.node.kind === "chance") this.push(this.node.outcomes[drawByWeight(this.node.outcomes.map(({ chance }) => Number(chance)), Math.random)].name);
  }

  /** Look at another position of the play; nobody moves on their own there. */
  visit(place) {
    if (!place || this.data.hidden) return;
    this.stand(place);
    while (this.node.kind === "chance" && this.at.children.length) this.stand(this.at.children[0]);
    this.drawChance();
    this.looks = this.following() !== null;
    this.settle();
  }

  /** The last position but this one in which a person chose, or anybody where none plays; null where there is none. */
  takenBackTo() {
    if (this.picked.length) return this.at;
    const own = (player) => this.seated[player] === "person" || this.areComputers();
    const chooses = (here) => (here.kind === "everyone" ? here.options.some((each, p) => each.length && own(p)) : here.kind === "decision" && own(here.player));
    if (this.chosen.some((each, p) => each !== undefined && own(p))) return this.at;
    return this.path().map(({ parent }) => parent).findLast(({ state }) => chooses(this.game.node(state))) ?? null;
  }

  /** Go back to a person's last decision, where there is one; what was played stays as a variation, unless something is
   * hidden. Of a move that is not whole the last part is undone: one click, or on a track both. */
  takeBack() {
    if (this.picked.length) {
      this.picked = this.picked.slice(0, this.data.boards[0].kind === "lanes" && this.picked.length % 2 === 0 ? -2 : -1);
      this.show();
      return true;
    }
    const place = this.takenBackTo();
    if (!place) return false;
    this.stand(place);
    if (this.data.hidden) place.children = [];
    this.looks = this.areComputers();
    this.settle();
    return true;
  }

  /** Begin anew; the play so far stays as a variation, unless something is hidden. */
  newGame() {
    const { start } = this;
    if (this.data.hidden) start.children = [];
    start.anew = start.children.length > 0;
    this.notice = "";
    this.begin(this.data.played);
    this.settle();
  }

  /** Forget the play. */
  restart() { this.stand(fresh(this.game.initial())); }

  /** Go from the start to where some names lead; false where that is not possible. */
  begin(names) {
    this.looked = null;
    this.stand(this.start);
    const all = names.every((name) => this.push(name));
    this.looks = this.following() !== null;
    this.drawChance();
    return all;
  }
}

/** A part of the page that is given a play; one that shows something of it is drawn anew by its `show`. */
export class Part {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.data = play.data;
    this.game = play.game;
    if ("show" in this) play.views.push(this);
  }
}
