// The game on the page, played by its own WebAssembly (gdl/wings/page/page_engine.py): what can be done, what it is called,
// what it leaves, who hears of it, and what each player sees. Numbers that are not whole are exact fractions.

const VIEWS = { u8: Uint8Array, i16: Int16Array, i32: Int32Array, i64: BigInt64Array, f64: Float64Array };
const KINDS = ["decision", "chance", "everyone", "end"]; // as the module's status() numbers them
export const HIDDEN = "?"; // stands for what a player does not see; no value is this text
export const [NONE, COLUMN, SQUARE, REFUSED, EVERYONE] = [-1, -1, -2, -1, -1]; // as gdl/compiler/lower has them

export class Fraction {
  constructor(n, d) { this.n = n; this.d = d; }
  valueOf() { return Number(this.n) / Number(this.d); }
  toString() { return `${this.n}/${this.d}`; }
}

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);

/** The number n/d of two whole ones, the second above 0. */
export function exact(n, d) {
  const common = gcd(n, d) || 1n;
  return d === common ? Number(n / d) : new Fraction(n / common, d / common);
}

/** Whether two values are the same: 1 and true are, and the same set however it is held. */
export const same = (a, b) => a === b || (a !== null && b !== null && a == b); // eslint-disable-line eqeqeq

const span = (from, end) => Array.from({ length: end - from }, (_, k) => from + k);

/** The members of a set, as numbers. */
export function membersOf(set) {
  return [...BigInt(set).toString(2)].reverse().flatMap((bit, at) => (bit === "1" ? [at] : []));
}

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** A module with its functions, and its arrays by their names. */
export class Module extends /** @type {new () => any} */ (Object) {
  static async made(told, beside = {}) {
    const { instance } = await WebAssembly.instantiate(await inflated(told.wasm));
    const { memory, ...functions } = /** @type {any} */ (instance.exports);
    const made = Object.assign(new this(), functions, beside, { told });
    for (const [offset, text] of told.filled) new Uint8Array(memory.buffer).set(new Uint8Array(await inflated(text)), offset);
    for (const [name, [type, offset, count]] of Object.entries(told.arrays)) made[name] = new VIEWS[type](memory.buffer, offset, count);
    made.fresh();
    return made;
  }

  fresh() {}

  ends() { return [...this.util].map((each) => exact(BigInt(each) * BigInt(this.told.scale ?? 1), BigInt(this.told.denominator))); }
}

/** The rules of a game: states, what can be done in them, and what players learn. A state knows what came before it, for
 * rules that ask for earlier positions. */
export class Game extends Module {
  fresh() {
    this.players = this.told.players;
    this.here = null; // the state in which the module is,
    this.listed = null; // and that whose rows it has listed
  }

  initial() {
    this.start();
    return this.arrived({ before: null, choice: null });
  }

  arrived(state) {
    this.here = Object.assign(state, { words: this.s.slice(), views: new Map() });
    this.listed = null;
    return state;
  }

  enter(state) {
    if (this.here === state) return;
    const missed = [];
    if (!this.told.times) this.s.set(state.words);
    else {
      let each = state;
      for (; each !== this.here && each.before; each = each.before) missed.unshift(each.choice);
      if (each !== this.here) this.start();
    }
    for (const choice of missed) {
      this.moves();
      this.apply(choice);
    }
    [this.here, this.listed] = [state, null];
  }

  /** The rows of what can be done, listed anew only for another state: how many. */
  list(state) {
    this.enter(state);
    if (this.listed !== state) [this.count, this.listed] = [this.moves(), state];
    return this.count;
  }

  kind(state) {
    this.enter(state);
    return KINDS[this.status()];
  }

  /** The rows of a player, or of all there are. */
  rows(state, player) {
    const count = this.list(state);
    return state.words[0] === EVERYONE ? span(this.first[player], this.first[player + 1]) : span(0, count);
  }

  /** What is to be done in a state: { kind, player, options }, options with name, row, squares and columns; { kind: "end",
   * utilities }; of chance outcomes with their chance; of all at once options for each player. */
  node(state) {
    state.node ??= this.looked(state, this.kind(state));
    return state.node;
  }

  looked(state, kind) {
    if (kind === "end") return { kind, utilities: this.ends(), why: this.told.ends[this.ended[0]] };
    const options = (player) => this.rows(state, player).map((row) => this.option(state, row, player));
    if (kind === "everyone") return { kind, options: this.players.map((_, p) => options(p)) };
    const found = options(state.words[1]);
    if (kind === "decision") return { kind, player: state.words[0], options: found };
    const total = found.reduce((sum, { row }) => sum + this.weight[row], 0n);
    return { kind, outcomes: found.map((each) => ({ ...each, chance: exact(this.weight[each.row], total) })) };
  }

  /** A row as it is called, with the squares and columns that it names, and all that it names by types and values. */
  option(state, row, player) {
    this.list(state);
    this.s[1] = player;
    const made = this.labelled(row);
    this.s[1] = state.words[1];
    return made;
  }

  /** The name of an action of a player, or of chance, by the words that make its row. */
  rowName(words, actor) {
    this.here = this.listed = null;
    this.move.set(words);
    if (actor >= 0) this.s.fill(actor, 0, 2);
    return this.labelled(0).name;
  }

  labelled(row) {
    this.name_row(row);
    const made = { row, name: "", squares: [], columns: [], named: [] };
    for (let k = 0; k < this.label[0]; k++) {
      const [kind, value] = this.label.subarray(2 * k + 1, 2 * k + 3);
      made.named.push([kind, value]);
      if (kind === COLUMN) made.columns.push(value);
      else if (kind <= SQUARE) made.squares.push([SQUARE - kind, value]);
      else made.name += this.text(kind, true)(value === this.told.types[kind].none ? null : value);
    }
    made.name = made.name.trim();
    return made;
  }

  /** How values of a type are written: in names of actions, or where they are shown, with the names of a record's fields. */
  text(number, inNames = false) {
    const { names, shown = names, set, under } = this.told.types[number];
    if (under) return (v) => String(exact(BigInt(v), BigInt(under)));
    if (set !== undefined) return (v) => `{${membersOf(v).map(this.text(set, inNames)).join(", ")}}`;
    return (v) => (v === null ? "none" : names ? (inNames ? names : shown)[Number(v)] : String(v));
  }

  /** The choice that a name stands for, or the names of all who choose at once; null where it is none. */
  choice(node, name) {
    const row = (own, wanted) => own.find((each) => each.name === wanted)?.row;
    if (node.kind !== "everyone") return row(node.outcomes ?? node.options ?? [], name) ?? null;
    const rows = node.options.map((own, p) => row(own, name[p]) ?? NONE);
    return rows.some((each, p) => each === NONE && node.options[p].length) ? null : rows;
  }

  /** The state that a row leads to, or the rows of all who choose at once. It knows what each player did, by its place
   * among their options, and what is heard: [hearer (null: all), text]. */
  next(state, choice) {
    const together = Array.isArray(choice);
    const told = (together ? choice : [choice]).flatMap((row, p) => this.announced(state, row, together ? p : state.words[0]));
    this.list(state);
    const own = this.players.map((_, p) => (together ? (choice[p] < 0 ? null : choice[p] - this.first[p]) : p === state.words[0] ? choice : null));
    this.here = null; // until the rules have done it without fault
    if (together) { this.joint.set(choice); this.apply_joint(); } else this.apply(choice);
    const after = this.arrived({ before: state, choice, own });
    const said = this.event ? span(0, this.event[0]).map((k) => this.event.slice(3 * k + 2, 3 * k + 5)) : [];
    const refused = (actor) => said.some(([which, player]) => which === REFUSED && player === actor);
    const heard = told.filter(({ actor }) => !refused(actor)).map(({ hearer, text }) => [hearer, text]);
    const spoken = said.filter(([which]) => which !== REFUSED).map(([which, hearer, value]) => [hearer === NONE ? null : hearer, this.said(which, value)]);
    return Object.assign(after, { events: [...heard, ...spoken] });
  }

  said(which, value) {
    const { text, type } = this.told.says[which];
    return text ?? this.text(type, true)(value === this.told.types[type].none ? null : value);
  }

  done(actor, name) { return `${actor < 0 ? "chance" : this.players[actor]}: ${name}`; }

  /** The decisions along a line of names as far as they can be made, { state, player, option }, and the state behind them. */
  along(state, names) {
    const steps = [];
    for (const name of names) {
      const { kind, player, options } = this.node(state);
      const option = kind === "decision" ? options.find((each) => each.name === name) : null;
      if (!option) break;
      steps.push({ state, player, option });
      state = this.next(state, option.row);
    }
    return { steps, state };
  }

  /** Who is told of what was done. */
  announced(state, row, actor) {
    if (!this.hear || row === NONE) return [];
    this.list(state);
    if (actor >= 0) this.s[1] = actor;
    this.hear(row);
    this.s[1] = state.words[1];
    const hearers = span(0, this.players.length).filter((p) => this.hears[p]);
    if (!hearers.length) return [];
    const text = this.done(actor, this.option(state, row, actor < 0 ? state.words[1] : actor).name);
    return hearers.map((hearer) => ({ actor, hearer, text }));
  }

  /** Whether play would be over in a state if a cell held what cells hold without being named: none, false, or the lowest
   * number. Where what the cell holds cannot be changed alone, it is over. */
  withCell(state, cell) {
    const held = this.told.variables.find(({ place, count, words }) => !words && cell >= place && cell < place + count);
    if (!held) return true;
    const k = cell - held.place;
    this.enter(state);
    if (held.offset !== null) this.s[held.offset + k] = held.background;
    for (const plane of held.planes) this.s[2 * plane + (k >> 5)] &= ~(1 << (k & 31));
    try {
      return KINDS[this.status()] === "end";
    } catch { // the rules do not know such a position, as without a king
      return true;
    } finally {
      this.s.set(state.words);
    }
  }

  /** The cells of a state by their places, with HIDDEN in place of what this player does not see. */
  view(state, player = null) {
    if (!state.views.has(player)) {
      this.enter(state);
      this.look(player ?? NONE);
      state.views.set(player, this.cells());
    }
    return state.views.get(player);
  }

  cells() {
    const cells = [];
    let at = 0;
    for (const { place, count, words, type } of this.told.variables) {
      const { none } = this.told.types[type];
      for (let k = 0; k < count; k++, at += words || 1) {
        const value = words ? span(0, words).reduce((set, word) => set | (BigInt(this.shown[at + word] >>> 0) << BigInt(32 * word)), 0n) : this.shown[at];
        cells[place + k] = this.hides[place + k - this.told.variables[0].place] ? HIDDEN : value === none ? null : value;
      }
    }
    return cells;
  }

  /** What reaches a player in the ply that led to a state: what they did, what they heard, and what they see after it. */
  learnt(player, state) {
    const heard = state.events.filter(([hearer]) => hearer === null || hearer === player).map(([, text]) => text);
    return JSON.stringify([state.own[player], heard, state.words[0], String(this.view(state, player))]);
  }

  /** All that has reached a player, as a text. */
  known(player, state) {
    return `${player} ${this.path(state).map((each) => this.learnt(player, each))}`;
  }

  /** The states on the way to one, the first left out. */
  path(state) {
    const found = [];
    for (let each = state; each.before; each = each.before) found.unshift(each);
    return found;
  }

  /** A text that equal states share. */
  key(state) { return String(state.words); }

  /** Who is to move and what a player sees of a state, as a text. */
  shownTo(player, state) { return JSON.stringify([state.words[0], ...this.view(state, player).map(String)]); }

  /** The state after a play, given as choices. */
  after(choices) {
    let state = this.initial();
    for (const choice of choices) state = this.next(state, choice);
    return state;
  }
}
