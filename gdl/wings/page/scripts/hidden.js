// The computer where something is hidden: it chooses by what a player knows alone. Plays that agree with all that they saw
// and did are made up at random, and simulations begin where these lead: those of gdl play, by its own kernel
// (gdl/wings/hidden/kernels/simulations.py), in which everybody acts on what they know themselves.
import { Compiled, splitMix, worthByVisits } from "./compiled.js";
import { EVERYONE, NONE } from "./game.js";

const TRIES = 300; // plays that are made up before one must fit what was seen
const SAMPLES = 400; // ways to act of one ply that are tried
const DRAWING = 0.3; // share of the time for them
const SELDOM = 0.2; // an action that was visited less, as a share of the most visited one, is not played
const [ALWAYS, SAID, SIMULATIONS, WANTED] = [-2, -6, 0, 3]; // as the kernels have them

/** Numbers from 0 to 1 by a seed. */
export function randomNumbers(seed) {
  let state = BigInt(seed);
  return () => Number(BigInt.asUintN(53, (state = splitMix(state)))) / 2 ** 53;
}

/** One of some numbers, each by its weight. */
export function drawByWeight(weights, random) {
  let left = random() * weights.reduce((sum, each) => sum + each, 0);
  const found = weights.findIndex((each) => (left -= each) < 0);
  return found < 0 ? weights.length - 1 : found;
}

/** Plays as they may have been, for all that a player knows. */
class Guess {
  game; player; random; plies;

  constructor(game, state, player, random) {
    Object.assign(this, { game, player, random });
    this.plies = game.path(state).map((each) => ({ own: each.own[player], seen: game.learnt(player, each) }));
  }

  /** A state that may be the present one; null where none was found. */
  state() {
    let state = this.game.initial();
    for (const { own, seen } of this.plies) {
      const kind = this.game.kind(state);
      if (kind === "end" || (own !== null && this.game.rows(state, this.player).length <= own)) return null;
      let next = null;
      for (let left = own !== null && kind === "decision" ? 1 : SAMPLES; left && !next; left--) {
        const made = this.game.next(state, this.choice(state, own));
        if (this.game.learnt(this.player, made) === seen) next = made;
      }
      if (!next) return null;
      state = next;
    }
    return state;
  }

  /** A choice in which the player does this, if anything is given, and the rest is drawn. */
  choice(state, own) {
    const any = (rows) => (rows.length ? rows[Math.floor(this.random() * rows.length)] : NONE);
    const rows = this.game.rows(state, 0);
    if (state.words[0] === EVERYONE) return this.game.players.map((_, p) => (p === this.player && own !== null ? this.game.rows(state, p)[own] : any(this.game.rows(state, p))));
    if (this.game.kind(state) === "chance") return drawByWeight(rows.map((row) => Number(this.game.weight[row])), this.random);
    return own ?? any(rows);
  }
}

/** Simulations from positions that may be the present one. */
export class Sets extends Compiled {
  enter() { return true; }

  /** What a player does in a state, by what they know; without a player, whoever moves, who knows the state. */
  choose(node, { game, state, player: asked, until, simulations, seed }) {
    const player = asked ?? node.player;
    const random = randomNumbers(seed);
    const options = game.rows(state, player).map((row) => game.option(state, row, player).name);
    const answer = (best, how) => ({ best, values: {}, exact: false, how });
    if (options.length === 1) return answer(options[0], "nothing else is possible");
    const starts = asked === null ? [state] : this.states(new Guess(game, state, player, random), until, options.length);
    if (!starts.length) return answer(options[Math.floor(random() * options.length)], "at random, for no position was found that may be the present one");
    const memory = this.begin(game, starts, player, simulations, seed);
    this.simulate(game, until);
    const from = this.tuple_note[memory] - 1;
    const visits = from < 0 ? [] : [...this.tried_visits.subarray(this.tried_from[from], this.tried_from[from + 1])];
    const most = Math.max(...visits, 0);
    const best = options[drawByWeight(options.map((_, own) => (visits[own] >= SELDOM * most ? visits[own] : 0)), random)];
    return { ...answer(best, `${this.simulated[SIMULATIONS]} simulations from ${starts.length} positions that may be the present one`), visits, worths: worthByVisits(options.map((_, own) => visits[own] ?? 0)) };
  }

  /** As many as there is room and time for. */
  states(guess, until, count) {
    const found = [];
    const end = until === Infinity ? until : performance.now() + DRAWING * (until - performance.now());
    for (let tries = 0; found.length < this.start_share.length / 2 && tries < TRIES * (found.length + 1) && !(performance.now() > (found.length ? end : until)); tries++) {
      const state = guess.state();
      if (state && guess.game.rows(state, guess.player).length === count) found.push(state);
    }
    return found;
  }

  /** Begin at those states; the number of what the player remembers there. */
  begin(game, starts, player, simulations, seed) {
    this.simulate_start(BigInt(seed));
    this.simulated[WANTED] = simulations === null ? -1n : BigInt(simulations);
    this.sim_learner[0] = ALWAYS;
    this.texts = new Map();
    const numbers = new Map(); // of what is remembered
    starts.forEach((state, k) => {
      this.start_state.set(state.words, k * state.words.length);
      game.players.forEach((_, p) => {
        const known = game.known(p, state);
        if (!numbers.has(known)) numbers.set(known, this.sim_root(p, numbers.size));
        this.start_memory[k * game.players.length + p] = numbers.get(known);
      });
    });
    this.start_share.forEach((_, k, { length }) => { this.start_share[k] = Math.min(1, ((k % (length / 2)) + 1) / starts.length); });
    return this.start_memory[player];
  }

  /** Go on until the time is over, or enough are made; a text that players hear for the first time gets a number. */
  simulate(game, until) {
    while (this.work(this.simulate_run, until) !== null && this.text_asked[0]) {
      const tuple = this.text_asked[0] - 1;
      this.text_asked[0] = 0;
      const [kind, which, ...words] = this.tuple_word.subarray(this.tuple_from[tuple], this.tuple_from[tuple + 1]);
      const text = kind === SAID ? game.said(which, words[0]) : game.done(which, game.rowName(words, which));
      if (!this.texts.has(text)) this.texts.set(text, this.texts.size + 1);
      this.tuple_note[tuple] = this.texts.get(text);
    }
  }
}
