// The computer where something is hidden, and wherever no search of the engine is at hand: it chooses by what a player
// knows alone. Plays that agree with all that they saw and did are made up at random, and from each every action is
// tried by random play.
import { splitMix } from "./compiled.js";
import { EVERYONE } from "./game.js";

const TRIES = 300; // plays that are made up before one must fit what was seen
const SAMPLES = 400; // ways to act of one ply that are tried
const LONGEST = 400; // plies of a simulation

/** Numbers from 0 to 1 by a seed. */
function randomNumbers(seed) {
  let state = BigInt(seed);
  return () => Number(BigInt.asUintN(53, (state = splitMix(state)))) / 2 ** 53;
}

export class HiddenSearch {
  game; player; hidden; random; now; plies;

  /** `choices` are the rows that were played, `player` who chooses; `hidden`: whether there is anything to make up. */
  constructor(game, choices, player, seed = 1, hidden = true) {
    [this.game, this.player, this.hidden, this.random, this.now] = [game, player, hidden, randomNumbers(seed), game.initial()];
    this.plies = choices.map((choice) => { // the player's own action, by its place among theirs, and what reached them
      const state = this.now;
      const own = this.own(state, choice);
      const step = game.step(state, choice);
      this.now = step.state;
      return { own, seen: game.learnt(player, this.ownName(state, own), step) };
    });
  }

  /** What the player does in a choice, by its place among their options; null if it is others who act. */
  own(state, choice) {
    if (Array.isArray(choice)) return choice[this.player] < 0 ? null : choice[this.player] - this.game.rows(state, this.player)[0];
    return state.words[0] === this.player ? choice : null;
  }

  ownName(state, own) {
    return own === null ? null : this.game.option(state, this.game.rows(state, this.player)[own], this.player).name;
  }

  /** A state that may be the present one, for all that the player knows; null where none was found. */
  sampled() {
    if (!this.hidden) return this.now;
    let state = this.game.initial();
    for (const ply of this.plies) {
      state = this.agreeing(state, ply);
      if (state === null) return null;
    }
    return state;
  }

  /** A state that may follow, in agreement with what reached the player; null where none was found. */
  agreeing(state, { own, seen }) {
    const kind = this.game.kind(state);
    if (kind === "end" || (own !== null && (this.game.rows(state, this.player).length <= own || (kind === "decision" && state.words[0] !== this.player)))) return null;
    const name = this.ownName(state, own);
    for (let k = 0; k < (own !== null && kind === "decision" ? 1 : SAMPLES); k++) {
      const step = this.game.step(state, this.madeUp(state, own));
      if (this.game.learnt(this.player, name, step) === seen) return step.state;
    }
    return null;
  }

  /** A choice in which the player does this, if anything is given, and the rest is drawn. */
  madeUp(state, own = null) {
    const { game } = this;
    const any = (rows) => (rows.length ? rows[Math.floor(this.random() * rows.length)] : -1);
    if (state.words[0] === EVERYONE) return game.players.map((_, p) => (p === this.player && own !== null ? game.rows(state, p)[own] : any(game.rows(state, p))));
    return own ?? (game.kind(state) === "chance" ? this.drawn(game.rows(state)) : any(game.rows(state)));
  }

  drawn(rows) {
    const weights = rows.map((row) => Number(this.game.weight[row]));
    let left = this.random() * weights.reduce((sum, each) => sum + each);
    return rows[weights.findIndex((each) => (left -= each) <= 0)] ?? rows.at(-1);
  }

  /** What to do, within so many seconds, or after so many worlds. */
  choose(seconds, most = Infinity) {
    const until = Date.now() + 1000 * seconds;
    const names = this.game.rows(this.now, this.player).map((_, own) => this.ownName(this.now, own));
    const totals = names.map(() => ({ sum: 0, count: 0 }));
    let worlds = 0;
    for (let tries = 0; names.length > 1 && worlds < most && (Date.now() < until || !worlds) && tries < TRIES * (worlds + 1); tries++) {
      const state = this.sampled();
      if (state === null || this.game.rows(state, this.player).length !== names.length) continue;
      worlds++;
      totals.forEach((total, own) => this.tryOut(state, own, total));
    }
    const means = totals.map(({ sum, count }) => (count ? sum / count : -Infinity));
    const best = names[means.indexOf(Math.max(...means))];
    return { best, values: {}, exact: false, how: names.length > 1 ? `${worlds} positions that may be the present one` : "nothing else is possible" };
  }

  /** Add what an action comes to in one world, by random play. */
  tryOut(state, own, total) {
    total.sum += this.playedOut(this.game.next(state, this.madeUp(state, own)));
    total.count++;
  }

  playedOut(state) {
    for (let ply = 0; ply < LONGEST && this.game.kind(state) !== "end"; ply++) state = this.game.next(state, this.madeUp(state));
    return this.game.kind(state) === "end" ? Number(this.game.ends()[this.player]) : 0;
  }
}
