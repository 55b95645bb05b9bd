// The compiled engine on the page: the game's WebAssembly with its searches (gdl/wings/page/page_engine.py), which are those of
// the command line, step by step; numbers of theirs are whole ones over a denominator. A position is entered by the
// rows of all that was played; where the engine counts the rows otherwise than the rules, it is not asked.
import { Module, exact } from "./game.js";

const FIRST_SLICE = 500; // nodes before the clock is looked at
const SLICE = 30; // milliseconds between two looks
const FAR = 1 << 30;
const [EXACT_KIND, BEYOND] = [3, 6]; // as gdl/compiler/kernels names them; a test holds them to that
const [LINK, LINK_FIRST, LINK_ROWS, LINK_WHOSE, LINK_PROVEN] = [8, 0, 1, 3, 4];
const [TREE_SIMULATIONS, TREE_WANTED, TREE_MOST] = [0, 1, 3];
const [PLAYED_RANDOM, PLAYED_AHEAD] = [2, 6];
const [LOOKED_AT, AT_A_TIME, LOOKING_SHARE] = [500n, 50, 0.1]; // of the search for forced losses
const EXPLORED = 0.6; // as in gdl/wings/arena/levels.py
const [REFUTED_YES, REFUTED_GOES_ON] = [1, 2];

const [DECISION, END] = [0, 3]; // of status()

/** A module of the game joined with a search. */
export class Compiled extends Module {
  /** Stand where so many rows lead, each given with the number of rows that there were; false where it cannot. */
  enter(rows, node) {
    this.start();
    for (const [row, count] of rows) {
      if (this.moves() !== count) return false;
      this.apply(row);
    }
    this.root = this.s.slice();
    if (node && this.moves() !== node.options?.length) return false;
    this.back();
    return true;
  }

  back() { this.s.set(this.root); }

  step(row) {
    this.moves();
    this.apply(row);
  }

  /** Call a search for some nodes again and again until it says that it is done: what it says; null where time is over. */
  work(run, until) {
    for (let budget = FIRST_SLICE; ; ) {
      const begun = performance.now();
      const said = run(budget);
      if (said <= 0) return said;
      const now = performance.now();
      if (now >= until) return null;
      const room = Math.min(SLICE, Math.max(1, until - now));
      const took = now - begun || 0.01;
      budget = Math.min(1 << 30, Math.max(1, Math.floor((budget * Math.min(4 * took, room)) / took)));
    }
  }

  number(value) { return exact(BigInt(value), BigInt(this.told.denominator)); }
}

/** Principal variation search, to a depth or to the end; the values are the first player's, who has the opposite. */
export class Windows extends Compiled {
  fresh() {
    this.start();
    this.table_clear();
  }

  /** At the first position entered it is learned, by random play, how good moves are. */
  enter(rows, node) {
    const there = super.enter(rows, node);
    if (!there || this.learned) return there;
    this.learned = true;
    this.random[0] = 1n;
    try { this.order_learn(this.told.learned); } catch (end) { if (!(end instanceof WebAssembly.RuntimeError)) throw end; }
    return super.enter(rows, node);
  }

  vector(value) {
    const own = this.number(value);
    return this.players.length === 1 ? [own] : [own, this.number(-value)];
  }

  /** Deeper and deeper, until the time is over or a depth was the last: { value, row, depth, exact, unfinished }. */
  deepened(until, last = null) {
    const values = [];
    let answer = null;
    this.top[0] = this.refused[0] = 0;
    for (let depth = 1; depth < (last === null ? this.told.whole : last + 1) && !answer?.surely; depth++) {
      const found = this.settled(depth, values, until);
      if (!found) return this.unfinished(answer, depth) ?? answer;
      values.push(found.value);
      answer = { ...found, depth };
    }
    return answer;
  }

  /** A depth that was not finished may have found something better than the best before. */
  unfinished(answer, depth) {
    const [value, row] = [this.f_best[0], this.f_row[0]];
    if (!this.top[0] || row < 0 || value <= this.f_before[0] || (answer && row === answer.row)) return null;
    return { value: value * this.f_side[0], row, depth: Math.max(1, depth - 1), exact: false, unfinished: true };
  }

  /** Search so many plies deep, first within the window where the value is expected; null where the time is over. */
  settled(left, values, until) {
    const [before, latest] = values.slice(-2);
    const near = left !== this.told.whole && values.length > 1 ? Math.max(1, Math.floor(Math.abs(latest - before) / 2)) : null;
    let [alpha, beta] = near === null ? [-FAR + 1, FAR - 1] : [before - near, before + near];
    for (let width = beta - alpha; ; ) {
      this.back();
      this.begin(left, Math.max(alpha, -FAR + 1), Math.min(beta, FAR - 1));
      if (this.work(this.search_run, until) === null) return null;
      const [value, estimated, row, kind] = this.found;
      const refused = this.refused[0];
      this.refused[0] = 0;
      if (refused === BEYOND) { // an estimate lies beyond what utilities can be
        [this.least[0], this.greatest[0]] = [-FAR, FAR];
        this.table_clear();
        return this.settled(left, values, until);
      }
      if (refused) throw new Error("the engine's search does not suit this game");
      if ((alpha < value && value < beta) || kind === EXACT_KIND) return { value, row, surely: !estimated, exact: !estimated && !this.times };
      width *= 4;
      [alpha, beta] = value <= alpha ? [value - width, beta] : [alpha, value + width];
    }
  }

  /** What rows are worth with so many plies left, the first among them, as far as there is time and no more than so many
   * nodes were searched in all. */
  each(rows, left, until, most = Infinity) {
    const [values, root] = [[], this.root];
    [this.estimated, this.guesses] = [false, []];
    for (const row of rows) {
      this.estimated ||= this.nodes[0] >= most;
      if (this.nodes[0] >= most) break;
      this.back();
      this.step(row);
      const further = left === this.told.whole ? left : left - 1;
      if (this.status() === END) values[row] = this.util[0] * this.told.scale;
      else if (further === 0 && !this.told.quiescent) {
        this.evaluate();
        this.estimated = this.guesses[row] = true;
        values[row] = this.util[0] * this.told.estimate;
      } else {
        this.root = this.s.slice();
        const found = this.settled(further, [], until);
        this.root = root;
        this.estimated ||= !found?.surely;
        if (!found) break;
        [values[row], this.guesses[row]] = [found.value, !found.surely];
      }
    }
    return values;
  }

  /** What all actions are worth, each one ply deeper at a time and the best first, until so many nodes are searched or the
   * time is over; estimates of what was not looked at so deep are thought to change as the others do on average. */
  compared(node, { nodes }, until) {
    const [most, side, rows] = [Number(this.nodes[0]) + nodes, node.player ? -1 : 1, [...node.options.keys()]];
    let [made, depth, looked] = [null, 0, rows];
    const guessed = [];
    do {
      const deeper = this.each(rows, depth + 1, until, made ? most : Infinity);
      looked = rows.filter((row) => row in deeper);
      if (!made && looked.length < rows.length) return null;
      const alike = looked.filter((row) => guessed[row] && this.guesses[row]);
      const change = Math.floor(alike.reduce((sum, row) => sum + deeper[row] - made[row], 0) / Math.max(1, alike.length));
      made = rows.toSorted((a, b) => a - b).map((row) => deeper[row] ?? made[row] + (guessed[row] ? change : 0));
      Object.assign(guessed, this.guesses);
      rows.sort((a, b) => side * (made[b] - made[a]));
      depth += Number(looked.length === rows.length);
    } while (this.estimated && this.nodes[0] < most && looked.length === rows.length);
    const values = Object.fromEntries(node.options.map(({ name }, row) => [name, this.vector(made[row])]));
    const how = `alpha-beta to depth ${depth}, with ${this.told.source}`;
    return { best: node.options[rows[0]].name, rows: [rows[0]], value: this.vector(made[rows[0]]), values, exact: !this.estimated, how, depth };
  }

  /** The rows of best play that the table remembers after the first. */
  line(row, most) {
    const rows = [];
    this.back();
    while (row >= 0 && rows.length < most && this.status() === DECISION) {
      if (row >= this.moves()) break;
      this.apply(row);
      rows.push(row);
      this.pack();
      row = Number((this.table_find() >> 16n) & 0xffffn) - 1;
    }
    return rows;
  }

  choose(node, { until, depth: last = null, whole = false, all = false, level = null }) {
    if (level) return this.compared(node, level, until);
    const end = whole || !all || until === Infinity ? until : (performance.now() + until) / 2;
    const found = whole ? this.settled(this.told.whole, [], end) : this.deepened(end, last);
    if (!found) return null;
    const depth = whole ? null : found.depth;
    const rows = this.line(found.row, depth ?? Infinity);
    const best = node.options[found.row].name;
    const value = this.vector(found.value);
    const values = { ...(all ? this.worth(node, depth, until) : {}), [best]: value };
    const how = whole ? "proved by alpha-beta to the end" : `alpha-beta to depth ${depth}${this.told.quiescent ? " and on to quiet positions, less deep where there is little hope" : ""}, with ${this.told.source}`;
    return { best, rows, value, values, exact: whole || found.exact, how, depth };
  }

  /** The values of all actions, as deep as there is time for, but no deeper than the best one's. */
  worth(node, last, until) {
    let values = {};
    for (let depth = last === null ? this.told.whole : 1; depth <= (last ?? this.told.whole); depth++) {
      const made = this.each(node.options.keys(), depth, until);
      if (made.length < node.options.length) break;
      values = Object.fromEntries(node.options.map(({ name }, row) => [name, this.vector(made[row])]));
    }
    return values;
  }
}

/** Max^n and expectiminimax, deeper and deeper, with the file's evaluation where search is cut off. */
export class Vectors extends Compiled {
  choose(node, { until, depth: last = null, level = null }) {
    let answer = null;
    for (let depth = 1; depth <= (last ?? 60); depth++) {
      answer = this.searched(node, depth, until) ?? answer;
      if (!answer || answer.depth < depth || answer.exact || (level && this.nodes[0] >= level.nodes)) break;
    }
    return answer;
  }

  searched(node, depth, until, left = depth - 1, how = `max^n to depth ${depth}, with ${this.told.source}`) {
    this.back();
    this.nodes[0] = 0n;
    this.refused[0] = 0;
    this.vectors_begin(depth);
    if (this.work(this.vectors_run, until) === null || this.refused[0]) return null;
    const values = {};
    node.options.forEach(({ name }, row) => {
      this.back();
      this.step(row);
      if (this.vectors_known(left)) values[name] = [...this.met].map((value) => exact(value, this.met_under[0] * BigInt(this.told.denominator)));
    });
    const worth = node.options.map(({ name }) => values[name]?.[node.player] ?? -Infinity);
    const row = worth.reduce((best, each, at) => (each > worth[best] ? at : best), 0);
    const best = node.options[row].name;
    return { best, rows: [row], value: values[best], values, exact: this.cut_off[0] === 0n, how, depth };
  }
}

/** The same to the ends, where all positions have as many plies left. */
export class Ends extends Vectors {
  choose(node, { until }) { return this.searched(node, 1, until, 1, "played out to the end"); }
}

/** UCT. */
export class Simulations extends Compiled {
  fresh() { this.begun = this.uct_now.slice(); } // with what the search is told of patience

  /** So many simulations are wanted, by a seed. */
  begin(simulations, seed) {
    this.uct_now.set(this.begun);
    this.tree_count[TREE_WANTED] = simulations === null ? -1n : BigInt(simulations);
    this.tree_count[TREE_MOST] = -1n;
    this.played[PLAYED_RANDOM] = BigInt(seed);
    this.played[PLAYED_AHEAD] = splitMix(BigInt(seed));
    this.uct_begin();
  }

  choose(node, { until, simulations = null, seed = 0, seconds = null }) {
    this.back();
    this.begin(simulations, seed);
    const looking = seconds === null ? Infinity : Math.min(300, LOOKING_SHARE * 1000 * seconds);
    if (this.work(this.uct_run, seconds === null ? until : until - looking) < 0) return null; // play without end
    return this.answer(node, looking);
  }

  node(at) {
    const record = this.players.length + 1;
    const [N, ...W] = [...this.uct_sum.subarray(at * record, (at + 1) * record)].map(Number);
    const link = this.tree_link.subarray(at * LINK, (at + 1) * LINK);
    return { N: Math.abs(N), W, first: link[LINK_FIRST], rows: link[LINK_ROWS], proven: Boolean(link[LINK_PROVEN]) && N !== 0 };
  }

  children(parent) {
    return Array.from({ length: parent.rows }, (_, k) => (this.tree_link[(parent.first + k) * LINK + LINK_WHOSE] ? this.node(parent.first + k) : null));
  }

  vector(node) {
    return this.players.map((_, p) => (node.proven ? exact(BigInt(node.W[p] / node.N), BigInt(this.told.denominator)) : node.W[p] / node.N / this.told.denominator));
  }

  answer(node, looking) {
    const root = this.node(0);
    let rows = this.line();
    if (!rows.length) return null;
    const children = this.children(root);
    const tried = children.flatMap((child, row) => (child?.N ? [[node.options[row].name, child]] : []));
    const values = Object.fromEntries(tried.map(([name, child]) => [name, this.vector(child)]));
    const visits = Object.fromEntries(tried.map(([name, child]) => [name, child.N]));
    const count = Number(this.tree_count[TREE_SIMULATIONS]);
    const isGood = ({ proven, N, W }) => proven && W[node.player] * root.N >= root.W[node.player] * N;
    const worths = worthByVisits(children.map((child) => (child && isGood(child) ? root.N : child?.N ?? 0)));
    const how = `${count} simulations`;
    if (!root.proven) rows = this.unlost(node, rows, children, looking);
    return { best: node.options[rows[0]].name, rows, value: this.vector(root), values, visits, worths, exact: root.proven, how, simulations: count };
  }

  line() {
    const rows = [];
    let at = 0;
    for (this.back(); this.status() === DECISION; at = this.node(at).first + rows.at(-1)) {
      const row = this.uct_choice(at, this.s[0]);
      if (row < 0) return [...rows, ...this.win(this.node(at))];
      rows.push(row);
      this.step(row);
    }
    return rows;
  }

  /** The row that ends play with the value of a node that is proven by that alone. */
  win(node) {
    if (!node.proven) return [];
    const [value, here] = [String(this.vector(node)), this.s.slice()];
    for (let row = 0, count = this.moves(); row < count; row++) {
      this.s.set(here);
      this.step(row);
      if (this.status() === END && String(this.ends()) === value) return [row];
    }
    return [];
  }

  /** The line, or the next action where a short exact search shows that the first loses by force. */
  unlost(node, rows, children, milliseconds) {
    const least = this.told.least[node.player];
    if (least === null || this.times) return rows;
    const until = performance.now() + milliseconds;
    this.refute_state.set(this.root);
    [this.refute_player[0], this.refute_least[0], this.refute_left[0]] = [node.player, BigInt(least), LOOKED_AT];
    const order = children.flatMap((child, row) => (child?.N && row !== rows[0] ? [row] : [])).sort((a, b) => children[b].N - children[a].N);
    for (const row of [rows[0], ...order]) {
      let said = REFUTED_GOES_ON;
      for (this.refute_begin(row); said === REFUTED_GOES_ON && performance.now() < until;) said = this.refute_run(AT_A_TIME);
      if (said !== REFUTED_YES) return row === rows[0] ? rows : [row];
    }
    return rows;
  }
}

/** What options are worth that simulations tried so often (gdl/wings/arena/levels.py). */
export function worthByVisits(visits) {
  const most = Math.log(visits.reduce((sum, each) => sum + each, 1));
  return visits.map((count) => (count ? -2 * EXPLORED * Math.sqrt(most / count) : -Infinity));
}

export function splitMix(state) {
  const word = (z) => BigInt.asUintN(64, z);
  let z = word(state + 0x9e3779b97f4a7c15n);
  z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return BigInt.asIntN(64, z ^ (z >> 31n));
}
