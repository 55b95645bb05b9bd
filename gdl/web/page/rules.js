"use strict";
// The rules of a game, played: core forms as data (gdl/web/rules_data.py) become closures of a state's cells and a frame
// of local values, as gdl/interpreter makes them, which is what they are held to. Faults of the rules are errors.

const [MOVER, PAST, NO_ACTIONS] = [0, 1, 2];
const [EVERYONE, NOBODY, FIRST_STEP] = [-1, -2, -3];
const HIDDEN = "?"; // stands for what a player does not see; no value is this text
const MOST_WAYS = 100000;
const MOST_TURNS = 10000;

// ---- Numbers: JavaScript's where they are whole and small, exact fractions elsewhere ----------------------------------

class Fraction {
  constructor(n, d) { this.n = n; this.d = d; }
  valueOf() { return Number(this.n) / Number(this.d); }
  toString() { return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`; }
}

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

function exact(n, d) {
  if (d < 0n) [n, d] = [-n, -d];
  const common = gcd(n, d) || 1n;
  [n, d] = [n / common, d / common];
  return d === 1n && n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : new Fraction(n, d);
}

const upper = (x) => (typeof x === "number" ? BigInt(x) : typeof x === "boolean" ? BigInt(x) : x.n);
const lower = (x) => (typeof x === "number" || typeof x === "boolean" ? 1n : x.d);

const OPERATIONS = {
  "+": (a, b) => { const r = a + b; return small(a, b, r) ? r : exact(upper(a) * lower(b) + upper(b) * lower(a), lower(a) * lower(b)); },
  "-": (a, b) => { const r = a - b; return small(a, b, r) ? r : exact(upper(a) * lower(b) - upper(b) * lower(a), lower(a) * lower(b)); },
  "*": (a, b) => { const r = a * b; return small(a, b, r) ? r : exact(upper(a) * upper(b), lower(a) * lower(b)); },
  "/": (a, b) => exact(upper(a) * lower(b), lower(a) * upper(b)),
  mod: (a, b) => {
    if (small(a, b, a)) return ((a % b) + b) % b;
    const whole = OPERATIONS.div(a, b);
    return OPERATIONS["-"](a, OPERATIONS["*"](whole, b));
  },
  div: (a, b) => {
    if (small(a, b, a)) return (a - (((a % b) + b) % b)) / b;
    let [n, d] = [upper(a) * lower(b), lower(a) * upper(b)];
    if (d < 0n) [n, d] = [-n, -d];
    const cut = n / d;
    return exact(n < 0n && cut * d !== n ? cut - 1n : cut, 1n);
  },
  min: (a, b) => (ORDERS["<"](b, a) ? b : a),
  max: (a, b) => (ORDERS[">"](b, a) ? b : a),
};

function small(a, b, result) {
  return typeof a !== "object" && typeof b !== "object" && Number.isSafeInteger(Number(result));
}

const compared = (a, b) => (typeof a === "object" || typeof b === "object" ? upper(a) * lower(b) - upper(b) * lower(a) : a - b);
const ORDERS = {
  "<": (a, b) => compared(a, b) < 0, "<=": (a, b) => compared(a, b) <= 0,
  ">": (a, b) => compared(a, b) > 0, ">=": (a, b) => compared(a, b) >= 0,
};

/** Whether two values are the same; a set may be held as a number where it is small. */
function same(a, b) {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, at) => same(each, b[at]));
  if (a instanceof Fraction) return b instanceof Fraction && a.n === b.n && a.d === b.d;
  return a == b; // eslint-disable-line eqeqeq  // 5 and 5n, true and 1
}

const key = (value) => (Array.isArray(value) ? `[${value.map(key).join()}]` : `${Number(value) === value || typeof value !== "boolean" ? value : Number(value)}`);

// ---- Sets: bits, member by member --------------------------------------------------------------------------------------

const bits = (value) => (typeof value === "bigint" ? value : BigInt(demand(value, "a set is due here, and this is none")));

function elements(value) {
  if (Array.isArray(value)) return value;
  const found = [];
  let rest = bits(value);
  for (let at = 0; rest; at += 32, rest >>= 32n) {
    let word = Number(rest & 0xffffffffn);
    while (word) {
      const low = 31 - Math.clz32(word & -word);
      found.push(at + low);
      word = (word & ~(1 << low)) >>> 0;
    }
  }
  return found;
}

class Refused extends Error {}
class NoOption extends Error {}

function fault(message) {
  return new Error(message);
}

function demand(value, message) {
  if (value === null || value === undefined) throw fault(message);
  return value;
}

// ---- A game -------------------------------------------------------------------------------------------------------------

class Rules {
  constructor(model) {
    this.model = model;
    this.players = model.players;
    this.types = model.types;
    this.tables = model.tables.map(constant);
    this.definitions = model.definitions.map(() => null);
    this.procedures = model.procedures.map(() => null);
    this.sites = model.times.map((site) => ({
      kind: site.kind, key: site.key.map((each) => this.value(each)),
      condition: site.condition === null ? null : this.value(site.condition), frame: site.frame,
    }));
    this.visible = model.variables.map(({ visibility }) => (visibility.condition === null ? null : this.value(visibility.condition)));
    this.judged = null; // the action that is being tried
    this.open = new Set(); // the rings of those that ask whether it can be done
    this.actions = model.actions.map((rule, number) => this.rule(rule, number));
    this.chances = model.chances.map((rule) => this.rule(rule, null));
    this.clauses = model.clauses.map((clause) => ({ condition: this.value(clause.condition), utilities: clause.utilities.map((each) => this.value(each)), frame: clause.frame }));
    this.features = model.features.map((feature) => ({ weight: number(feature.weight), values: feature.values.map((each) => this.value(each)), frame: feature.frame }));
    this.resolve = model.resolve === null ? null : { body: this.block(model.resolve.body), frame: model.resolve.frame };
    this.startTurn = this.turn(model.start);
    this.opening = model.opening === null ? null : { body: this.block(model.opening.body), frame: model.opening.frame };
  }

  // -- expressions --------------------------------------------------------------------------------------------------------

  value(e) {
    const form = this[`value${e[""]}`];
    if (!form) throw fault(`no form ${e[""]}`);
    return form.call(this, e);
  }

  valueConst(e) {
    const value = constant(e.value);
    return () => value;
  }

  valueLocal({ slot }) { return (c, f) => f[slot]; }
  valueMover() { return (c) => c[MOVER]; }
  valueCell({ place }) { return (c) => c[place]; }

  valueWhole(e) {
    const { place, initial } = this.model.variables[e.variable];
    return (c) => c.slice(place, place + initial.length);
  }

  valueElement(e) {
    const find = this.position(e.variable, e.indices);
    return (c, f) => {
      const at = find(c, f);
      return at === null ? null : c[at];
    };
  }

  /** The cell of an element; null where an index is none. */
  position(variable, indices) {
    const { place, extents, bases } = this.model.variables[variable];
    const functions = indices.map((each) => this.value(each));
    return (c, f) => {
      let at = 0;
      for (let k = 0; k < functions.length; k++) {
        const i = functions[k](c, f);
        if (i === null) return null;
        const from = i - bases[k];
        if (!(from >= 0 && from < extents[k])) {
          if (functions.some((other) => other(c, f) === null)) return null;
          throw fault("an index is out of its range");
        }
        at = at * extents[k] + from;
      }
      return place + at;
    };
  }

  valueArithmetic(e) {
    const [left, right, operate] = [this.value(e.left), this.value(e.right), OPERATIONS[e.operator]];
    const divides = ["/", "mod", "div"].includes(e.operator);
    return (c, f) => {
      const [a, b] = [demand(left(c, f), "a number is none"), demand(right(c, f), "a number is none")];
      if (divides && (b === 0 || b === false)) throw fault("division by zero");
      return operate(a, b);
    };
  }

  valueSetOperation(e) {
    const [left, right] = [this.value(e.left), this.value(e.right)];
    if (e.operator === "+") return (c, f) => bits(left(c, f)) | bits(right(c, f));
    if (e.operator === "*") return (c, f) => bits(left(c, f)) & bits(right(c, f));
    return (c, f) => { const a = bits(left(c, f)); return a & ~bits(right(c, f)); };
  }

  valueComparison(e) {
    const [left, right] = [this.value(e.left), this.value(e.right)];
    if (e.relation === "=") return (c, f) => same(left(c, f), right(c, f));
    if (e.relation === "!=") return (c, f) => !same(left(c, f), right(c, f));
    const order = ORDERS[e.relation];
    return (c, f) => order(demand(left(c, f), "none has no order"), demand(right(c, f), "none has no order"));
  }

  valueContains(e) {
    const [item, container] = [this.value(e.item), this.value(e.container)];
    if (e.bits) {
      return (c, f) => {
        const i = item(c, f);
        return typeof i !== "object" && i >= 0 && Boolean((bits(container(c, f)) >> BigInt(i)) & 1n);
      };
    }
    return (c, f) => {
      const i = item(c, f);
      return elements(listed(container(c, f))).some((each) => same(each, i));
    };
  }

  valueNot(e) { const operand = this.value(e.operand); return (c, f) => !operand(c, f); }

  valueAll(e) {
    const parts = e.parts.map((each) => this.value(each));
    return (c, f) => parts.every((part) => part(c, f));
  }

  valueSome(e) {
    const parts = e.parts.map((each) => this.value(each));
    return (c, f) => parts.some((part) => part(c, f));
  }

  valueIf(e) {
    const [condition, then, otherwise] = [this.value(e.condition), this.value(e.then), this.value(e.otherwise)];
    return (c, f) => (condition(c, f) ? then(c, f) : otherwise(c, f));
  }

  valueInterval(e) {
    const [low, high] = [this.value(e.low), this.value(e.high)];
    return (c, f) => {
      const [a, b] = [demand(low(c, f), "a bound is none"), demand(high(c, f), "a bound is none")];
      const found = [];
      for (let i = a; i <= b; i++) found.push(i);
      return found;
    };
  }

  valueMembers(e) { const set = this.value(e.set); return (c, f) => elements(set(c, f)); }

  valueUntil(e) {
    const [domain, condition, { slot }] = [this.value(e.domain), this.value(e.condition), e];
    return function* upTo(c, f) {
      for (const value of domain(c, f)) {
        f[slot] = value;
        const last = condition(c, f);
        yield value;
        if (last) return;
      }
    };
  }

  valueItems(e) {
    const items = e.items.map((each) => this.value(each));
    return (c, f) => items.map((item) => item(c, f));
  }

  valueSetOf(e) {
    const items = e.items.map((each) => this.value(each));
    return (c, f) => items.reduce((set, item) => set | bit(item(c, f)), 0n);
  }

  valueSize(e) {
    const operand = this.value(e.operand);
    return (c, f) => { const found = operand(c, f); return e.bits ? elements(found).length : [...found].length; };
  }

  valueQuantifier(e) {
    let domain = this.value(e.domain);
    const [body, { slot }] = [this.value(e.body), e];
    if (e.where !== null) {
      const [all, where] = [domain, this.value(e.where)];
      domain = function* filtered(c, f) {
        for (const value of all(c, f)) {
          f[slot] = value;
          if (where(c, f)) yield value;
        }
      };
    }
    return QUANTIFIERS[e.kind](domain, body, slot);
  }

  valueReach(e) {
    const [start, where, { neighbours, slot, source }] = [this.value(e.start), e.where === null ? null : this.value(e.where), e];
    return (c, f) => {
      let found = bits(start(c, f));
      const work = elements(found);
      while (work.length) {
        const at = work.pop();
        for (const near of neighbours[at]) {
          if ((found >> BigInt(near)) & 1n) continue;
          f[slot] = near;
          if (source !== null) f[source] = at;
          if (where === null || where(c, f)) {
            found |= 1n << BigInt(near);
            work.push(near);
          }
        }
      }
      return found;
    };
  }

  valueLookup(e) {
    const table = this.tables[e.table];
    const [args, { bases }, missing] = [e.arguments.map((each) => this.value(each)), e, constant(e.missing)];
    return (c, f) => {
      let at = table;
      for (let k = 0; k < args.length; k++) {
        const i = args[k](c, f);
        if (at === null || i === null || typeof i === "object" || !(i - bases[k] >= 0 && i - bases[k] < at.length)) return missing;
        at = at[i - bases[k]];
      }
      return at === null ? missing : at;
    };
  }

  valueCallDefinition(e) {
    const args = e.arguments.map((each) => this.value(each));
    const definition = this.model.definitions[e.definition];
    const known = definition.fixed ? new Map() : null;
    return (c, f) => {
      const frame = new Array(definition.frame).fill(null);
      for (let k = 0; k < args.length; k++) frame[k] = listed(args[k](c, f));
      const result = this.definition(e.definition);
      if (!known) return result(c, frame);
      const told = frame.slice(0, args.length).map(key).join(";");
      if (!known.has(told)) known.set(told, result(c, frame));
      return known.get(told);
    };
  }

  definition(index) {
    if (this.definitions[index] === null) this.definitions[index] = this.value(this.model.definitions[index].result);
    return this.definitions[index];
  }

  valueScope(e) {
    const lets = e.lets.map(([slot, value]) => [slot, this.value(value)]);
    const result = this.value(e.result);
    return (c, f) => {
      for (const [slot, value] of lets) f[slot] = listed(value(c, f));
      return result(c, f);
    };
  }

  valueNoActions() { return (c) => c[NO_ACTIONS](); }

  valueAble(e) {
    const player = this.value(e.player);
    return (c, f) => this.able(e.actions, demand(player(c, f), "it is asked what none can do"), c);
  }

  siteKey(site, c) {
    const { key: parts, frame } = this.sites[site];
    return key(parts.map((part) => part(c, new Array(frame).fill(null))));
  }

  valueTimes({ site }) {
    return (c) => { const here = this.siteKey(site, c); return c[PAST][site].filter((other) => other === here).length; };
  }

  valueSince({ site }) {
    return (c) => {
      const past = c[PAST][site];
      const at = past.lastIndexOf(this.siteKey(site, c));
      return at < 0 ? null : past.length - at;
    };
  }

  valueAlways({ site }) {
    const { condition, frame } = this.sites[site];
    return (c) => {
      const [here, past] = [this.siteKey(site, c), c[PAST][site]];
      const first = past.findIndex(([other]) => other === here);
      return first >= 0 && past.slice(first + 1).every(([, held]) => held) && Boolean(condition(c, new Array(frame).fill(null)));
    };
  }

  /** What is remembered from now on: the past of these cells, and their position too. */
  remembered(c) {
    return c[PAST].map((past, number) => {
      const { kind, condition, frame } = this.sites[number];
      const here = this.siteKey(number, c);
      return [...past, kind === "always" ? [here, Boolean(condition(c, new Array(frame).fill(null)))] : here];
    });
  }

  // -- statements ---------------------------------------------------------------------------------------------------------

  /** The statements one after the other: a function of a run that says whether a `stop` was met. */
  block(statements) {
    const steps = statements.map((each) => this.statement(each));
    return (run) => {
      for (const step of steps) if (step(run)) return true;
      return false;
    };
  }

  statement(s) {
    const form = this[`do${s[""]}`];
    if (!form) throw fault(`no form ${s[""]}`);
    return form.call(this, s);
  }

  doLet(s) { const value = this.value(s.value); return (run) => { run.frame[s.slot] = listed(value(run.cells, run.frame)); }; }

  doAssign(s) {
    const [value, find] = [this.value(s.value), this.position(s.variable, s.indices)];
    return (run) => {
      const fresh = value(run.cells, run.frame);
      run.cells[demand(find(run.cells, run.frame), "an index is none")] = fresh;
    };
  }

  doRequire(s) {
    const condition = this.value(s.condition);
    return (run) => { if (!condition(run.cells, run.frame)) throw new Refused(); };
  }

  doRank(s) { const value = this.value(s.value); return (run) => { run.rank = demand(value(run.cells, run.frame), "a rank is none"); }; }
  doStop() { return () => true; }
  doForget() { return () => false; }

  doSay(s) {
    const [event, text, hearer] = [this.value(s.event), this.text(s.type), s.hearer === null ? null : this.value(s.hearer)];
    return (run) => {
      const to = hearer === null ? null : demand(hearer(run.cells, run.frame), "the hearer is none");
      run.events.push([to, text(event(run.cells, run.frame))]);
      return false;
    };
  }

  doNext(s) { const turn = this.turn(s.turn); return (run) => { run.turn = turn(run.cells, run.frame); }; }

  turn(turn) {
    if (turn.kind === "everyone") return () => EVERYONE;
    if (turn.kind === "chance") return () => FIRST_STEP - turn.step;
    const player = this.value(turn.player);
    if (turn.kind === "player") return (c, f) => demand(player(c, f), "the next player is none");
    const where = turn.where === null ? null : this.value(turn.where);
    const [count, sign] = [this.players.length, turn.kind === "after" ? 1 : -1];
    return (c, f) => {
      const start = demand(player(c, f), "the search for the next player starts from none");
      for (let distance = 1; distance <= count; distance++) {
        const candidate = (((start + sign * distance) % count) + count) % count;
        f[turn.slot] = candidate;
        if (where === null || where(c, f)) return candidate;
      }
      return NOBODY;
    };
  }

  doConditional(s) {
    const [condition, then, otherwise] = [this.value(s.condition), this.block(s.then), this.block(s.otherwise)];
    return (run) => (condition(run.cells, run.frame) ? then(run) : otherwise(run));
  }

  doFor(s) {
    const [domain, where, body] = [this.value(s.domain), s.where === null ? null : this.value(s.where), this.block(s.body)];
    return (run) => {
      for (const value of domain(run.cells, run.frame)) {
        run.frame[s.slot] = value;
        if ((where === null || where(run.cells, run.frame)) && body(run)) return true;
      }
      return false;
    };
  }

  doRepeat(s) {
    const body = this.block(s.body);
    return (run) => {
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        run.fresh = true;
        try {
          if (body(run)) return false;
        } catch (ended) {
          if (ended instanceof NoOption) return false;
          throw ended;
        }
      }
      throw fault("'repeat' goes on for too many turns");
    };
  }

  doChoose(s) {
    const [guards, ways] = [s.guards.map((each) => this.value(each)), this.assignments(s.parameters)];
    const slots = s.parameters.map((each) => each.slot);
    const name = s.template === null ? null : this.template(s.template);
    const texts = s.parameters.map((each) => this.text(each.type));
    const boards = s.parameters.map((each) => this.boardOf(each.type));
    return (run) => {
      const fresh = run.fresh;
      run.fresh = false;
      const [c, f] = [run.cells, run.frame];
      const at = run.made++;
      if (at === run.menus.length) {
        run.menus.push(guards.every((guard) => guard(c, f)) ? [...ways(c, f)] : []);
        run.path.push(0);
      }
      const chosen = run.menus[at][run.path[at]];
      if (!chosen) throw fresh ? new NoOption() : new Refused();
      slots.forEach((slot, k) => { run.frame[slot] = chosen[k]; if (boards[k] !== null) run.squares.push([boards[k], chosen[k]]); });
      run.name += name ? name(run.cells, run.frame) : ` ${chosen.map((each, k) => texts[k](each)).join(" ")}`;
      return false;
    };
  }

  doAttempt(s) {
    const [body, refused] = [this.block(s.body), this.block(s.refused)];
    return (run) => {
      const [cells, frame, turn, rank, events] = [[...run.cells], [...run.frame], run.turn, run.rank, [...run.events]];
      try {
        return body(run);
      } catch (end) {
        if (!(end instanceof Refused)) throw end;
        run.cells.splice(0, run.cells.length, ...cells);
        Object.assign(run, { frame, turn, rank, events, refused: true });
        return refused(run);
      }
    };
  }

  doTry(s) {
    const body = this.block(s.body);
    return (run) => {
      const cells = [...run.cells];
      body(run);
      run.cells.splice(0, run.cells.length, ...cells);
      return false;
    };
  }

  doCallProcedure(s) {
    const args = s.arguments.map((each) => this.value(each));
    const { frame: size } = this.model.procedures[s.procedure];
    return (run) => {
      if (this.procedures[s.procedure] === null) this.procedures[s.procedure] = this.block(this.model.procedures[s.procedure].body);
      const outside = run.frame;
      const inside = new Array(size).fill(null);
      args.forEach((argument, k) => { inside[k] = listed(argument(run.cells, outside)); });
      run.frame = inside;
      try {
        this.procedures[s.procedure](run);
      } finally {
        run.frame = outside;
      }
      return false;
    };
  }

  // -- names --------------------------------------------------------------------------------------------------------------

  template({ parts }) {
    const made = parts.map((part) => (typeof part === "string" ? part : [this.value(part[0]), this.text(part[1])]));
    return (c, f) => made.map((part) => (typeof part === "string" ? part : part[1](part[0](c, f)))).join("");
  }

  /** How values of a type are written. */
  text(number) {
    const type = this.types[number];
    switch (type.kind) {
      case "optional": { const inner = this.text(type.item); return (v) => (v === null ? "none" : inner(v)); }
      case "named": case "part": return (v) => (v === null ? "none" : type.members[v]);
      case "set": { const inner = this.text(type.item); return (v) => (v === null ? "none" : `{${elements(v).map(inner).join(", ")}}`); }
      case "sequence": { const inner = this.text(type.item); return (v) => (v === null ? "none" : `[${[...v].map(inner).join(", ")}]`); }
      default: return (v) => (v === null ? "none" : String(v));
    }
  }

  /** The type of a board's squares that a type is, by its number; null if it is none. */
  boardOf(number) {
    const type = this.types[number];
    return type.kind === "optional" ? this.boardOf(type.item) : type.board ? number : null;
  }

  // -- choices ------------------------------------------------------------------------------------------------------------

  /** All values of the parameters together that pass their guards, in the order of their domains. */
  assignments(parameters) {
    const levels = parameters.map((p) => [p.slot, this.domain(p), p.guards.map((each) => this.value(each))]);
    return function* ways(c, f, level = 0) {
      if (level === levels.length) {
        yield levels.map(([slot]) => f[slot]);
        return;
      }
      const [slot, domain, guards] = levels[level];
      for (const value of domain(c, f)) {
        f[slot] = value;
        if (guards.every((guard) => guard(c, f))) yield* ways(c, f, level + 1);
      }
    };
  }

  domain(parameter) {
    const source = this.value(parameter.domain);
    if (parameter.count === null) return source;
    const count = this.value(parameter.count);
    return function* draws(c, f) {
      const [things, number] = [[...source(c, f)], count(c, f)];
      const at = [...Array(number).keys()];
      if (number > things.length) return;
      for (;;) {
        yield at.reduce((set, k) => set | (1n << BigInt(things[k])), 0n);
        let k = number - 1;
        while (k >= 0 && at[k] === things.length - number + k) k--;
        if (k < 0) return;
        at[k]++;
        for (let j = k + 1; j < number; j++) at[j] = at[j - 1] + 1;
      }
    };
  }

  rule(rule, number) {
    const texts = rule.parameters.map((each) => this.text(each.type));
    const named = rule.template === null ? null : this.template(rule.template);
    return {
      data: rule, number,
      guards: rule.guards.map((each) => this.value(each)),
      ways: this.assignments(rule.parameters),
      body: this.block(rule.body),
      weight: rule.weight === null ? null : this.value(rule.weight),
      hearers: rule.hearers === null || rule.hearers.condition === null ? null : this.value(rule.hearers.condition),
      boards: rule.parameters.map((each) => this.boardOf(each.type)),
      name: (args, c, f) => (named ? named(c, f) : args.length ? `${rule.name}(${args.map((each, k) => texts[k](each)).join(", ")})` : rule.name),
    };
  }

  /** The ways to act by one rule, as { name, rank, weight, run, squares, columns }. */
  *waysOf(rule, cells, past) {
    const frame = new Array(rule.data.frame).fill(null);
    if (!rule.guards.every((guard) => guard(cells, frame))) return;
    const before = [...cells];
    before[PAST] = past;
    const seen = rule.data.merge && rule.number !== null ? new Set() : null;
    let ways = 0;
    for (const args of rule.ways(cells, frame)) {
      if (++ways > MOST_WAYS) throw fault("too many ways to go");
      const weight = rule.weight === null ? 1 : rule.weight(cells, frame);
      const squares = args.flatMap((each, k) => (rule.boards[k] === null ? [] : [[rule.boards[k], each]]));
      const columns = args.filter((_, k) => rule.data.parameters[k].axis === "Column");
      const head = { rule, weight, columns, arguments: args };
      if (rule.data.simple) {
        const kept = [...frame];
        const run = () => this.judging(rule, () => finished(newRun([...before], [...kept], [], [], squares), rule.body));
        yield { ...head, name: rule.name(args, cells, frame).trim(), rank: 0, run, squares };
        continue;
      }
      for (const done of this.runs(rule, before, frame, squares)) {
        if (seen) {
          const result = key([done.rank, done.turn, ...done.cells.slice(3)]) + key(done.cells[MOVER]);
          if (seen.has(result)) continue;
          seen.add(result);
        }
        yield { ...head, name: (rule.name(args, cells, frame) + done.name).trim(), rank: done.rank, run: () => copied(done), squares: done.squares };
      }
    }
  }

  /** All runs of a body that succeed: its choices are the digits of an odometer. */
  *runs(rule, cells, frame, squares) {
    let path = [];
    let menus = [];
    while (path) {
      const run = newRun([...cells], [...frame], path, menus.slice(0, path.length), squares);
      let succeeds = true;
      try {
        this.judging(rule, () => rule.body(run));
      } catch (end) {
        if (!(end instanceof Refused)) throw end;
        succeeds = false;
      }
      menus = run.menus;
      path = [...run.path];
      if (succeeds) yield run;
      while (path.length && path[path.length - 1] + 1 >= menus[path.length - 1].length) path.pop();
      path = path.length ? [...path.slice(0, -1), path[path.length - 1] + 1] : null;
    }
  }

  judging(rule, work) {
    const outside = this.judged;
    this.judged = rule.number;
    try {
      return work();
    } finally {
      this.judged = outside;
    }
  }

  /** Whether a player could do one of the actions in the position of the cells. */
  able(actions, player, cells) {
    if (this.judged !== null && this.open.has(this.judged)) return true;
    const asked = [...cells];
    asked[MOVER] = player;
    const past = this.remembered(asked);
    const outside = this.open;
    if (this.judged !== null) this.open = new Set([...outside, ...this.model.rings[this.judged]]);
    try {
      return actions.some((action) => {
        const rule = this.actions[action];
        return this.judging(rule, () => !this.waysOf(rule, asked, past).next().done);
      });
    } finally {
      this.open = outside;
    }
  }

  // -- states -------------------------------------------------------------------------------------------------------------

  initial() {
    const cells = [0, this.sites.map(() => []), null, ...this.model.variables.flatMap((variable) => variable.initial.map(constant))];
    let turn = this.startTurn(cells, [null, null, null, null]);
    if (this.opening) {
      const run = finished(newRun(cells, new Array(this.opening.frame).fill(null), [], [], []), this.opening.body);
      turn = run.turn ?? turn;
    }
    if (turn >= 0) cells[MOVER] = turn;
    return { turn, cells };
  }

  /** What is to be done in a state: { kind, player, options } with options as of waysOf, { kind: "end", utilities }, … */
  node(state) {
    let options = null;
    const listed = () => {
      if (options === null) options = state.turn === EVERYONE ? this.players.map((_, p) => this.options(state, p)) : state.turn >= 0 ? [this.options(state, state.turn)] : [];
      return options;
    };
    const cells = [...state.cells];
    cells[NO_ACTIONS] = () => state.turn === NOBODY || (state.turn > FIRST_STEP && !listed().some((own) => own.length));
    for (const clause of this.clauses) {
      const frame = new Array(clause.frame).fill(null);
      if (clause.condition(cells, frame)) return { kind: "end", utilities: clause.utilities.map((each) => demand(each(cells, frame), "a utility is none")) };
    }
    if (state.turn <= FIRST_STEP) return { kind: "chance", outcomes: this.outcomes(state) };
    if (cells[NO_ACTIONS]()) throw fault("nobody can act, and the game is not over");
    if (state.turn === EVERYONE) return { kind: "everyone", options: listed() };
    return { kind: "decision", player: state.turn, options: listed()[0] };
  }

  options(state, player) {
    const cells = [...state.cells];
    cells[MOVER] = player;
    const past = this.remembered([...state.cells]);
    let found = this.actions.flatMap((rule) => this.judging(rule, () => [...this.waysOf(rule, cells, past)]));
    const best = found.reduce((most, each) => (most === null || ORDERS[">"](each.rank, most) ? each.rank : most), null);
    found = found.filter((each) => same(each.rank, best));
    const names = new Set();
    return found.filter((each) => !names.has(each.name) && names.add(each.name));
  }

  outcomes(state) {
    const rule = this.chances[FIRST_STEP - state.turn];
    const [found, merged] = [new Map(), new Map()];
    for (const way of this.waysOf(rule, [...state.cells], this.remembered([...state.cells]))) {
      if (way.weight === 0) continue;
      let { name } = way;
      if (rule.data.merge) {
        const after = this.after(state, way.run());
        const told = key([after.turn, after.cells[MOVER], ...after.cells.slice(3)]) + key(after.cells[PAST]);
        if (!merged.has(told)) merged.set(told, name);
        name = merged.get(told);
      }
      const known = found.get(name);
      if (known) known.weight = OPERATIONS["+"](known.weight, way.weight);
      else found.set(name, { ...way, name });
    }
    const total = [...found.values()].reduce((sum, each) => OPERATIONS["+"](sum, each.weight), 0);
    return [...found.values()].map((each) => ({ ...each, chance: OPERATIONS["/"](each.weight, total) }));
  }

  /** The state that an option leads to. */
  next(state, option) {
    return this.step(state, option).state;
  }

  /** The state that an option leads to, and what is heard: [hearer (null: all), text]. */
  step(state, option) {
    const run = option.run();
    const actor = state.turn >= 0 ? state.turn : null;
    const events = [...this.announced(state, option, run, actor), ...run.events];
    return { state: this.after(state, run), events };
  }

  /** Who is told of what was done. */
  announced(state, { rule, name, arguments: args }, run, actor) {
    const { hearers, parameters, frame: size } = rule.data;
    if (hearers === null || run.refused) return [];
    const text = `${actor === null ? "chance" : this.players[actor]}: ${name}`;
    const cells = [...state.cells];
    if (actor !== null) cells[MOVER] = actor;
    return this.players.flatMap((_, player) => {
      if (player === actor) return [];
      const frame = new Array(size).fill(null);
      parameters.forEach((parameter, k) => { frame[parameter.slot] = args[k]; });
      frame[hearers.slot] = player;
      return rule.hearers === null || rule.hearers(cells, frame) ? [[player, text]] : [];
    });
  }

  /** What a player sees: whose turn it is, and the cells, with HIDDEN in place of what is not for them. */
  view(state, player) {
    const seen = [...state.cells];
    this.model.variables.forEach(({ place, initial, visibility, extents, bases }, index) => {
      const hide = (at) => { seen[place + at] = HIDDEN; };
      const each = initial.length / this.players.length;
      for (let at = 0; at < initial.length; at++) {
        if (visibility.kind === "none") hide(at);
        else if (visibility.kind === "owner" && Math.floor(at / each) !== player) hide(at);
        else if (visibility.kind === "when") {
          const frame = new Array(visibility.frame).fill(null);
          let rest = at;
          for (let k = extents.length - 1; k >= 0; k--) { frame[k] = (rest % extents[k]) + bases[k]; rest = Math.floor(rest / extents[k]); }
          frame[visibility.slot] = player;
          if (!this.visible[index]([...state.cells], frame)) hide(at);
        }
      }
    });
    return seen;
  }

  /** What reaches a player in a ply: what they did themselves, what they heard, and what they see after it. */
  learnt(player, action, { state, events }) {
    const heard = events.filter(([hearer]) => hearer === null || hearer === player).map(([, text]) => text);
    return JSON.stringify([action, heard, state.turn, key(this.view(state, player).slice(3))]);
  }

  /** The state that everyone's options lead to. */
  joined(state, chosen) {
    return this.stepJoined(state, chosen).state;
  }

  stepJoined(state, chosen) {
    const cells = [...state.cells];
    const events = [];
    cells[PAST] = this.remembered([...state.cells]);
    for (const [player, option] of chosen.entries()) {
      if (!option) continue;
      const run = option.run();
      events.push(...this.announced(state, option, run, player), ...run.events);
      for (let at = 3; at < cells.length; at++) if (!same(run.cells[at], state.cells[at])) cells[at] = run.cells[at];
    }
    const run = newRun(cells, new Array(this.resolve ? this.resolve.frame : 0).fill(null), [], [], []);
    const done = this.resolve ? finished(run, this.resolve.body) : run;
    return { state: this.after(state, done), events: [...events, ...done.events] };
  }

  after(state, run) {
    let { turn } = run;
    if (turn === null) turn = state.turn >= 0 ? (state.turn + 1) % this.players.length : state.turn === EVERYONE ? EVERYONE : state.cells[MOVER];
    const { cells } = run;
    if (turn >= 0) cells[MOVER] = turn;
    else if (state.turn >= 0) cells[MOVER] = state.turn;
    cells[NO_ACTIONS] = null;
    return { turn, cells };
  }

  /** The file's estimate of a state, for each player; null where it gives none. */
  evaluate(state) {
    if (!this.features.length) return null;
    const totals = this.players.map(() => 0);
    for (const { weight, values, frame } of this.features) {
      values.forEach((value, p) => {
        totals[p] = OPERATIONS["+"](totals[p], OPERATIONS["*"](weight, demand(value([...state.cells], new Array(frame).fill(null)), "a feature is none")));
      });
    }
    return totals;
  }

  /** A text that equal states share. */
  key(state) {
    return `${state.turn};${state.turn >= 0 ? "" : state.cells[MOVER]};${key(state.cells.slice(3))}${this.sites.length ? key(state.cells[PAST].map((past) => [...past].map(key).sort())) : ""}`;
  }
}

function bit(value) {
  return 1n << BigInt(demand(value, "a set holds no none"));
}

const QUANTIFIERS = {
  exists: (domain, body, slot) => (c, f) => { for (const v of domain(c, f)) { f[slot] = v; if (body(c, f)) return true; } return false; },
  forall: (domain, body, slot) => (c, f) => { for (const v of domain(c, f)) { f[slot] = v; if (!body(c, f)) return false; } return true; },
  count: (domain, body, slot) => (c, f) => { let n = 0; for (const v of domain(c, f)) { f[slot] = v; if (body(c, f)) n++; } return n; },
  first: (domain, body, slot) => (c, f) => { for (const v of domain(c, f)) { f[slot] = v; if (body(c, f)) return v; } return null; },
  those: (domain, body, slot) => (c, f) => { let set = 0n; for (const v of domain(c, f)) { f[slot] = v; if (body(c, f)) set |= bit(v); } return set; },
  union: (domain, body, slot) => (c, f) => { let set = 0n; for (const v of domain(c, f)) { f[slot] = v; set |= bits(body(c, f)); } return set; },
  sum: (domain, body, slot) => (c, f) => {
    let total = 0;
    for (const v of domain(c, f)) { f[slot] = v; total = OPERATIONS["+"](total, demand(body(c, f), "a part of a sum is none")); }
    return total;
  },
  min: (domain, body, slot) => extreme(domain, body, slot, OPERATIONS.min),
  max: (domain, body, slot) => extreme(domain, body, slot, OPERATIONS.max),
};

function extreme(domain, body, slot, pick) {
  return (c, f) => {
    let found = null;
    for (const v of domain(c, f)) {
      f[slot] = v;
      const part = body(c, f);
      if (part !== null) found = found === null ? part : pick(found, part);
    }
    return demand(found, "the least or greatest of nothing");
  };
}

/** A constant of the data: fractions and large numbers are written as objects. */
function constant(value) {
  if (Array.isArray(value)) return value.map(constant);
  if (value === null || typeof value !== "object") return value;
  if (value.big) return BigInt(value.big);
  if (value.fraction) return exact(BigInt(value.fraction[0]), BigInt(value.fraction[1]));
  const found = [];
  for (let i = value.range[0]; i < value.range[1]; i++) found.push(i);
  return found;
}

const number = constant;
const listed = (value) => (value !== null && typeof value === "object" && typeof value.next === "function" ? [...value] : value);

function newRun(cells, frame, path, menus, squares) {
  return { cells, frame, path: [...path], menus: [...menus], made: 0, name: "", rank: 0, turn: null, fresh: false, squares: [...squares], events: [], refused: false };
}

function finished(run, body) {
  body(run);
  return run;
}

function copied(run) {
  return { ...run, cells: [...run.cells], events: [...run.events] };
}

if (typeof module !== "undefined") module.exports = { Rules, Fraction, OPERATIONS, ORDERS };
