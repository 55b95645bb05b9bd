"use strict";
// How the computer chooses on the page: exactly, where play from here on is small; else by alpha-beta with the file's
// estimate, or by random simulations (UCT). Everything is worked out from the rules of rules.js.

const TRIED = 40000; // positions within which an exact answer is looked for
const EXPLORE = 0.7; // of the range of values: the constant of UCT
const LONGEST = 400; // plies of a simulation

/** Numbers from 0 to 1 by a seed, the same everywhere (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class TooMany extends Error {}

class Search {
  constructor(rules, seed = 1) {
    this.rules = rules;
    this.random = randomNumbers(seed);
    this.known = new Map(); // exact values by the key of a state, exact fractions for each player
  }

  /** What is best in a state within so many seconds: { best, values: name -> number of each player, exact, how }. */
  choose(state, seconds) {
    const until = Date.now() + 1000 * seconds;
    const node = this.rules.node(state);
    if (node.kind !== "decision") return { best: null, values: {}, exact: true, how: "" };
    const found = this.exactly(state, node, Math.min(until, Date.now() + 400 * seconds));
    if (found) return found;
    if (this.rules.features.length && this.rules.players.length === 2) return this.byAlphaBeta(state, node, until);
    return this.bySimulations(state, node, until);
  }

  // -- exactly ------------------------------------------------------------------------------------------------------------

  /** The exact values of all actions of a state, if few positions lie below it; null otherwise. */
  exactly(state, node, until = Infinity, most = TRIED) {
    this.left = most;
    this.until = until;
    try {
      const values = Object.fromEntries(node.options.map((option) => [option.name, this.worth(this.rules.next(state, option), new Set())]));
      return { ...picked(node, values), exact: true, how: "played out to the end" };
    } catch (end) {
      if (end instanceof TooMany) return null;
      throw end;
    }
  }

  /** What a state is worth to everyone, in backward induction; the first of equal actions counts. */
  worth(state, above) {
    const told = this.rules.key(state);
    if (this.known.has(told)) return this.known.get(told);
    if (--this.left < 0 || above.has(told) || (this.left % 64 === 0 && Date.now() > this.until)) throw new TooMany();
    above.add(told);
    const found = this.fromBelow(state, this.rules.node(state), above);
    above.delete(told);
    this.known.set(told, found);
    return found;
  }

  fromBelow(state, node, above) {
    if (node.kind === "end") return node.utilities;
    if (node.kind === "everyone") throw new TooMany();
    if (node.kind === "chance") {
      let sums = this.rules.players.map(() => 0);
      for (const outcome of node.outcomes) {
        const below = this.worth(this.rules.next(state, outcome), above);
        sums = sums.map((sum, p) => OPERATIONS["+"](sum, OPERATIONS["*"](outcome.chance, below[p])));
      }
      return sums;
    }
    let best = null;
    for (const option of node.options) {
      const below = this.worth(this.rules.next(state, option), above);
      if (best === null || ORDERS[">"](below[node.player], best[node.player])) best = below;
    }
    return best;
  }

  // -- with the file's estimate -------------------------------------------------------------------------------------------

  byAlphaBeta(state, node, until) {
    this.until = until;
    let found = null;
    for (let depth = 1; depth <= 60; depth++) {
      const order = found ? [...node.options].sort((a, b) => score(found, b, node.player) - score(found, a, node.player)) : node.options;
      const values = {};
      let alpha = -Infinity;
      try {
        for (const option of order) {
          const value = this.window(this.rules.next(state, option), depth - 1, node.player, alpha, Infinity);
          values[option.name] = node.player === 0 ? [value, -value] : [-value, value];
          alpha = Math.max(alpha, value);
        }
      } catch (end) {
        if (!(end instanceof TooMany)) throw end;
        if (!found) found = { values, best: bestOf(node, values), how: "a glance" };
        break;
      }
      const best = order.find((option) => values[option.name][node.player] === alpha).name;
      found = { values, best, how: `alpha-beta to depth ${depth}, with the file's estimate` };
    }
    return { ...found, exact: false };
  }

  /** The value of a state for a player, as far as the window asks. */
  window(state, depth, player, alpha, beta) {
    if (Date.now() > this.until) throw new TooMany();
    const node = this.rules.node(state);
    if (node.kind === "end") return Number(node.utilities[player]) - Number(node.utilities[1 - player]) ? 1e6 * (Number(node.utilities[player]) - Number(node.utilities[1 - player])) + depth : 0;
    if (node.kind === "chance") {
      return node.outcomes.reduce((sum, o) => sum + Number(o.chance) * this.window(this.rules.next(state, o), depth - 1, player, -Infinity, Infinity), 0);
    }
    if (depth <= 0) {
      const estimate = this.rules.evaluate(state);
      return Number(estimate[player]) - Number(estimate[1 - player]);
    }
    const greatest = node.player === player;
    let best = greatest ? -Infinity : Infinity;
    for (const option of node.options) {
      const value = this.window(this.rules.next(state, option), depth - 1, player, alpha, beta);
      if (greatest) { best = Math.max(best, value); alpha = Math.max(alpha, best); } else { best = Math.min(best, value); beta = Math.min(beta, best); }
      if (alpha >= beta) break;
    }
    return best;
  }

  // -- by simulations -----------------------------------------------------------------------------------------------------

  bySimulations(state, node, until) {
    const root = this.grown(state);
    const range = { low: Infinity, high: -Infinity };
    let count = 0;
    do {
      this.simulate(root, range);
      count++;
    } while (Date.now() < until || count < 2);
    const values = {};
    root.children.forEach((child, k) => {
      values[node.options[k].name] = child ? child.sums.map((sum) => sum / child.visits) : null;
    });
    const visits = root.children.map((child) => (child ? child.visits : 0));
    const best = node.options[visits.indexOf(Math.max(...visits))].name;
    for (const name of Object.keys(values)) if (values[name] === null) delete values[name];
    return { best, values, exact: false, how: `${count} simulations` };
  }

  grown(state) {
    const node = this.rules.node(state);
    const choices = node.kind === "chance" ? node.outcomes : node.kind === "decision" ? node.options : [];
    return { state, node, choices, children: choices.map(() => null), visits: 0, sums: this.rules.players.map(() => 0) };
  }

  simulate(root, range) {
    const path = [root];
    let here = root;
    while (here.choices.length) {
      const k = here.node.kind === "chance" ? this.drawn(here.choices) : this.mostUrgent(here, range);
      const fresh = here.children[k] === null;
      if (fresh) here.children[k] = this.grown(this.rules.next(here.state, here.choices[k]));
      here = here.children[k];
      path.push(here);
      if (fresh) break;
    }
    const utilities = this.playedOut(here).map(Number);
    for (const value of utilities) { range.low = Math.min(range.low, value); range.high = Math.max(range.high, value); }
    for (const each of path) {
      each.visits++;
      utilities.forEach((value, p) => { each.sums[p] += value; });
    }
  }

  drawn(outcomes) {
    let left = this.random();
    for (let k = 0; k < outcomes.length; k++) {
      left -= Number(outcomes[k].chance);
      if (left <= 0) return k;
    }
    return outcomes.length - 1;
  }

  mostUrgent(here, range) {
    const untried = here.children.map((child, k) => (child === null ? k : -1)).filter((k) => k >= 0);
    if (untried.length) return untried[Math.floor(this.random() * untried.length)];
    const spread = range.high > range.low ? range.high - range.low : 1;
    let [best, most] = [0, -Infinity];
    here.children.forEach((child, k) => {
      const value = child.sums[here.node.player] / child.visits + EXPLORE * spread * Math.sqrt(Math.log(here.visits + 1) / child.visits);
      if (value > most) [best, most] = [k, value];
    });
    return best;
  }

  playedOut(leaf) {
    let { state, node } = leaf;
    for (let ply = 0; node.kind !== "end"; ply++) {
      if (ply >= LONGEST) return this.rules.evaluate(state) || this.rules.players.map(() => 0);
      const choices = node.kind === "chance" ? node.outcomes : node.options;
      state = this.rules.next(state, choices[node.kind === "chance" ? this.drawn(choices) : Math.floor(this.random() * choices.length)]);
      node = this.rules.node(state);
    }
    return node.utilities;
  }
}

const score = (found, option, player) => found.values[option.name]?.[player] ?? -Infinity;

function picked(node, values) {
  return { best: bestOf(node, values), values };
}

/** The first action that is best for the mover. */
function bestOf(node, values) {
  let best = null;
  for (const { name } of node.options) {
    if (values[name] && (best === null || ORDERS[">"](values[name][node.player], values[best][node.player]))) best = name;
  }
  return best ?? node.options[0].name;
}

/** What a name, or the names of all who choose at once, leads to; null where it is not possible. */
function stepBy(rules, state, node, name) {
  if (node.kind === "everyone") {
    const chosen = node.options.map((own, p) => own.find((each) => each.name === name[p]) || null);
    return chosen.some((option, p) => !option && node.options[p].length) ? null : rules.stepJoined(state, chosen);
  }
  const option = (node.kind === "chance" ? node.outcomes : node.options || []).find((each) => each.name === name);
  return option ? rules.step(state, option) : null;
}

/** The state after a play, by the names of what was done; null where the play is not possible. */
function replayed(rules, names) {
  let state = rules.initial();
  for (const name of names) {
    const step = stepBy(rules, state, rules.node(state), name);
    if (step === null) return null;
    state = step.state;
  }
  return state;
}

// ---- Where something is hidden ------------------------------------------------------------------------------------------

const TRIES = 300; // plays that are made up before one must fit what was seen
const SAMPLES = 400; // ways to act of one ply that are tried

/** Chooses for a player by what that player knows alone: plays that agree with all that they saw and did are made up at
 * random, and from each every action is tried by random play. */
class HiddenSearch {
  constructor(rules, names, player, seed = 1) {
    this.rules = rules;
    this.names = names;
    this.player = player;
    this.search = new Search(rules, seed);
    this.random = this.search.random;
    this.seen = this.learnt();
  }

  /** What reached the player, ply by ply. */
  learnt() {
    let state = this.rules.initial();
    return this.names.map((name) => {
      const node = this.rules.node(state);
      const step = stepBy(this.rules, state, node, name);
      const found = this.rules.learnt(this.player, this.own(node, name), step);
      state = step.state;
      return found;
    });
  }

  /** What the player did in a ply; null if it was others who acted. */
  own(node, name) {
    if (node.kind === "everyone") return node.options[this.player].length ? name[this.player] : null;
    return node.kind === "decision" && node.player === this.player ? name : null;
  }

  /** A state that may be the present one, for all that the player knows; null where none was found. */
  sampled() {
    let state = this.rules.initial();
    for (let ply = 0; ply < this.names.length; ply++) {
      const node = this.rules.node(state);
      const step = this.agreeing(state, node, ply);
      if (step === null) return null;
      state = step.state;
    }
    return state;
  }

  /** A way to go on in a ply that agrees with what reached the player; null where none was found. */
  agreeing(state, node, ply) {
    const mine = this.own(node, this.names[ply]);
    const tried = mine !== null && node.kind === "decision" ? 1 : SAMPLES;
    for (let k = 0; k < tried; k++) {
      const name = this.madeUp(node, mine);
      if (name === null) return null;
      const step = stepBy(this.rules, state, node, name);
      if (step && this.rules.learnt(this.player, mine, step) === this.seen[ply]) return step;
    }
    return null;
  }

  madeUp(node, mine) {
    const any = (own) => (own.length ? own[Math.floor(this.random() * own.length)].name : null);
    if (node.kind === "everyone") return node.options.map((own, p) => (p === this.player ? mine : any(own)));
    if (node.kind === "chance") return node.outcomes[this.search.drawn(node.outcomes)].name;
    return node.kind === "decision" ? (node.player === this.player ? mine : any(node.options)) : null;
  }

  /** What to do, within so many seconds, or after so many worlds. */
  choose(seconds, most = Infinity) {
    const until = Date.now() + 1000 * seconds;
    const own = this.optionsOf(this.rules.node(replayed(this.rules, this.names)));
    const totals = new Map(own.map((option) => [option.name, { sum: 0, count: 0 }]));
    let worlds = 0;
    let tries = 0;
    while (own.length > 1 && worlds < most && (Date.now() < until || !worlds) && tries < TRIES * (worlds + 1)) {
      tries++;
      const state = this.sampled();
      if (state === null) continue;
      worlds++;
      for (const option of own) this.tryOut(state, option.name, totals.get(option.name));
      if (Date.now() >= until) break;
    }
    const mean = ({ sum, count }) => (count ? sum / count : -Infinity);
    const best = own.reduce((most, option) => (mean(totals.get(option.name)) > mean(totals.get(most.name)) ? option : most));
    return { best: best.name, values: {}, exact: false, how: own.length > 1 ? `${worlds} positions that may be the present one` : "nothing else is possible" };
  }

  optionsOf(node) {
    return node.kind === "everyone" ? node.options[this.player] : node.options;
  }

  /** Add what an action comes to in one world, by random play. */
  tryOut(state, name, total) {
    const node = this.rules.node(state);
    const step = stepBy(this.rules, state, node, node.kind === "everyone" ? this.madeUp(node, name) : name);
    if (step === null) return;
    total.sum += Number(this.playedOut(step.state)[this.player]);
    total.count++;
  }

  playedOut(start) {
    let state = start;
    for (let ply = 0; ply < LONGEST; ply++) {
      const node = this.rules.node(state);
      if (node.kind === "end") return node.utilities;
      const any = (own) => (own.length ? own[Math.floor(this.random() * own.length)].name : null);
      const name = node.kind === "everyone" ? node.options.map(any) : node.kind === "chance" ? node.outcomes[this.search.drawn(node.outcomes)].name : any(node.options);
      state = stepBy(this.rules, state, node, name).state;
    }
    return this.rules.players.map(() => 0);
  }
}

if (typeof module !== "undefined") module.exports = { replayed, stepBy };
