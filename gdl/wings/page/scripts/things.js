// Pictures of the variables that no board shows: hands of cards, dice, heaps, tracks with men on them, counters, tables.
import { cardPicture, faceOf } from "./cards.js";
import { button, element, picture } from "./elements.js";
import { HIDDEN, membersOf, same } from "./game.js";
import { inColour, isDrawn, manSign } from "./men.js";
import { Part } from "./play.js";

const [MOST_STONES, MOST_BACKS, MOST_TAKINGS] = [24, 5, 200];
const [MOST_ROWS, MOST_CHIPS] = [60, 7]; // of a table, and of a pile

const spaced = (name) => name.replaceAll("_", " ");
const MONEY = /(chip|coin|stake|stack|pot|bet|money|cash|credit)/i; // in the name of a number that is drawn as a pile of chips
const POT = /\bpot\b/i; // in that of what everybody has put in
const POINTS = /(point|score|total)/i; // in that of what a sheet counts

/** A number beside its name; of money with a pile of chips. */
const counter = (name, text, made = make("span", { className: "counter" })) => {
  const pile = MONEY.test(name) && text > 0 ? [chips(Number(text))] : [];
  made.replaceChildren(...pile, `${spaced(name)} `, make("b", { textContent: text }));
  return made;
};
const chips = (count) => element("svg", { viewBox: "0 0 26 30", class: "chips", "aria-hidden": true }, ...Array.from({ length: Math.min(count, MOST_CHIPS) }, (_, k) => element("ellipse", { cx: 13, cy: 24 - 3.2 * k, rx: 11, ry: 4 })));
export const stone = (fill = "") => make("span", { className: "stone", style: `background: ${fill}` });

/** So many pictures of one thing; of more than are drawn one, and the number. */
const several = (count, draw, most = MOST_STONES) => (count > most ? [draw(), `×${count}`] : Array.from({ length: count }, draw));

const hand = (name, inside) => make("span", { className: "hand" }, `${spaced(name)} `, ...(inside.length ? inside : ["–"]));

/** Whether an action names how many dice of each face stay, of so many faces: it is done by clicks on dice. */
const namesFaces = (name, faces) => /\(\d+(, \d+)+\)$/.test(name) && name.split(", ").length === faces;

export class Things extends Part {
  heldAt = []; heldIn = null; // dice that were clicked, from the left, and in which state
  waysOf = new WeakMap(); // what a card of the page can do
  isOpened = false; // whether it was settled if the words are open at first

  constructor(play, squares) {
    super(play);
    this.squares = squares;
  }

  show() {
    const curtained = this.play.isCurtained();
    byId("things").replaceChildren(...(curtained ? [] : this.things()));
    const left = curtained ? [] : this.data.game.variables.filter(({ look }) => ["words", "hidden"].includes(look)).map((variable) => (this.echoesTurn(variable) ? { ...variable, look: "hidden" } : variable));
    const [said, folded] = ["words", "hidden"].map((each) => left.filter(({ look }) => look === each).flatMap((variable) => this.inWords(variable)));
    byId("cells").replaceChildren(...said, ...folded);
    byId("position").hidden = !byId("cells").childElementCount;
    if (!this.isOpened && byId("cells").childElementCount) [byId("position").open, this.isOpened] = [said.some(({ textContent }) => !textContent.endsWith("= –")), true]; // what the file hides, or holds nothing, opens nothing by itself
  }

  /** The actions that name a thing of this type, as actions call it; numbers that may be none are not told from others. */
  naming(ways, type, called) {
    const { types } = this.game.told;
    const isOf = (kind) => kind === type || (String(types[kind]?.names) === String(types[type].names) && (types[type].names || types[type].none !== undefined));
    return ways.filter(({ name, named }) => name === called || named.some(([kind, value]) => isOf(kind) && this.game.text(kind, true)(value) === called));
  }

  /** A card of a type; a button where one action alone is called by its name, behind a word at most that is no card's. */
  card(text, type, ways = [], called = text) {
    const inFields = (name) => text !== called && name.endsWith(text) && /^([a-z_]+ )?$/i.test(name.slice(0, -text.length)); // lay hearts 12
    const naming = [...this.naming(ways, type, called), ...ways.filter(({ name }) => inFields(name))];
    const fitting = naming.filter(({ name }) => name === called || name.endsWith(`(${called})`) || (name.endsWith(` ${called}`) && !this.game.told.types[type].names?.includes(name.slice(0, -called.length - 1))) || inFields(name));
    const face = faceOf(text);
    const className = `card${face ? " face" : ""}${/[♥♦]/.test(text) ? " red" : ""}`;
    const made = fitting.length === 1 ? Object.assign(button(text, () => this.play.go(fitting[0].name), className), { title: fitting[0].name }) : make("span", { className, textContent: text });
    this.waysOf.set(made, (fitting.length === 1 ? fitting : naming.filter(({ squares }) => squares.length)).map(({ name }) => name));
    if (face) made.replaceChildren(cardPicture(face), make("span", { className: "read", textContent: text }));
    return made;
  }

  cardBack() { return make("span", { className: "card back", role: "img", ariaLabel: this.play.say("a hidden card") }); }
  die(face) { return make("span", { className: "die", role: "img", ariaLabel: this.play.say("a die with {0}", face) }, picture(`die-${face}`)); }
  valueText(type) { return (value) => (value === HIDDEN ? HIDDEN : this.game.text(type)(value)); }
  namesAlong(variable, k, inNames = false) { return Array.from({ length: variable.extents[k] }, (_, i) => this.game.text(variable.indices[k], inNames)(i + variable.bases[k])); }

  /** Cards for a value: those of a set, one for anything else, none for none. */
  cards(type, value, ways) {
    if (value === null) return [];
    const { set } = this.game.told.types[type];
    const draw = (each) => this.card(this.game.text(set ?? type)(each), set ?? type, ways, this.game.text(set ?? type, true)(each));
    return set === undefined ? [draw(value)] : membersOf(value).map(draw);
  }

  /** Cards for values side by side; many hidden ones, as in a deck, are one with their number. */
  laid(type, values, ways) { return [...values.filter((value) => value !== HIDDEN).flatMap((value) => this.cards(type, value, ways)), ...several(values.filter((value) => value === HIDDEN).length, () => this.cardBack(), MOST_BACKS)]; }

  /** So many cards or dice of each kind; one card where all are hidden. */
  counted(look, heads, values, ways, type, called = heads) {
    if (values.every((value) => value === HIDDEN)) return [this.cardBack()];
    return values.flatMap((value, k) => (value === HIDDEN ? [this.cardBack()] : several(value ?? 0, () => (look === "dice" ? this.die(k + 1) : this.card(heads[k], type, ways, called[k])))));
  }

  isByDice({ name }) { return this.data.game.variables.some(({ look, own, count }) => look === "dice" && !own && namesFaces(name, count)); }

  /** Dice that are held by clicks, and the button for the action that keeps those. */
  heldDice(values) {
    if (this.heldIn !== this.play.state) [this.heldAt, this.heldIn] = [[], this.play.state];
    const faces = values.flatMap((count, k) => Array.from({ length: count }, () => k));
    const counts = values.map((_, k) => this.heldAt.filter((at) => faces[at] === k).length).join(", ");
    const option = this.play.options().find(({ name }) => namesFaces(name, values.length) && name.endsWith(`(${counts})`));
    const toggle = (at) => { this.heldAt = this.heldAt.includes(at) ? this.heldAt.filter((each) => each !== at) : [...this.heldAt, at]; this.play.show(); };
    const dice = faces.map((face, at) => make("button", { type: "button", className: "hold", onclick: () => toggle(at), ariaPressed: String(this.heldAt.includes(at)) }, this.die(face + 1)));
    return option ? [...dice, button(option.name.split("(")[0], () => this.play.go(option.name))] : dice;
  }

  /** The one action that leaves so many in a heap, and all else as it is, by "cell left". */
  takings() {
    const [before, found] = [this.game.view(this.play.state), {}];
    for (const option of this.play.node.kind === "decision" && !this.data.hidden ? this.play.options().slice(0, MOST_TAKINGS) : []) {
      const after = this.game.view(this.game.next(this.play.state, option.row));
      const changed = [...before.keys()].filter((cell) => after[cell] !== before[cell]);
      const key = `${changed} ${after[changed[0]]}`;
      if (changed.length === 1) found[key] = key in found ? null : option;
    }
    return found;
  }

  /** A heap: a click on a stone takes it and those above, where an action does that alone. */
  pile(count, cell, taking = this.takings()) {
    const taken = (option) => (option ? Object.assign(button("", () => this.play.go(option.name), "stone"), { title: option.name, ariaLabel: option.name }) : stone());
    return make("span", { className: "pile" }, ...(count > MOST_STONES ? [String(count)] : Array.from({ length: count }, (_, left) => taken(taking[`${cell} ${left}`]))));
  }

  /** The men of a kind in a hand, in this cell, drawn or by their sign; to be picked there where an action puts one on a
   * board. */
  held(name, sign, count, cell, ways) {
    const usable = ways.some((option) => this.squares.handOf(option)?.[0].hand === cell);
    const made = counter(sign ?? name, count, usable ? Object.assign(button("", () => this.squares.pickInHand(cell), "counter"), { ariaPressed: String(this.play.picked[0]?.hand === cell) }) : undefined);
    if (usable) made.dataset.hand = cell;
    if (isDrawn(sign)) made.firstChild.replaceWith(picture(sign, inColour("#fdfdf8")), make("span", { className: "read", textContent: `${spaced(name)} ` }));
    return made;
  }

  /** What a variable shows of everybody's, or of a player, whose elements these are, from a place on; `ways`: who can do what
   * now. */
  picture(variable, values, ways, place = variable.place) {
    const { name, type, most, look, own } = variable;
    const heads = variable.indices.length - Math.sign(most) > Number(own) ? this.namesAlong(variable, Number(own)) : [""];
    const [each, text, kinds] = [values.length / heads.length, this.valueText(type), own && !most && heads[0] !== ""];
    const called = (k) => `${name} ${heads[k]}`.trim();
    const open = !own || most || this.game.told.types[type].set !== undefined ? ways : []; // a card that lies there is not played
    if (kinds && look !== "counters") return [hand(name, this.counted(look, heads, values, ways, variable.indices[1], this.namesAlong(variable, 1, true)))];
    if (look === "cards") return heads.map((_, k) => hand(called(k), this.laid(type, values.slice(k * each, (k + 1) * each), open)));
    if (look === "dice") return ways.some((option) => this.isByDice(option)) ? this.heldDice(values) : this.counted(look, heads, values, []);
    if (look === "flags") return values.flatMap((value, k) => (same(value, true) ? [counter(called(k), "")] : []));
    const number = (value) => (value === null ? "–" : text(value));
    if (kinds) return [Object.assign(hand(name, values.flatMap((value, k) => (value || this.game.told.types[type].none ? [this.held(/\D/.test(heads[k]) ? heads[k] : called(k), manSign(this.data, heads[k]), number(value), place + k, ways)] : []))), { className: "hand men" })];
    if (look === "counters") return values.map((value, k) => counter(called(k), number(value)));
    const taking = this.takings();
    return [make("div", { className: "heaps" }, ...(heads[0] ? [spaced(name)] : []), ...values.map((count, k) => make("span", { className: "heap", title: `${called(k)}: ${count}` }, this.pile(count, place + k, taking), `${heads[k] || spaced(name)}: ${count}`)))];
  }

  valuesOf({ place, count }) { return this.play.shownCells().slice(place, place + count); }

  /** Whether it is drawn as a table, or as some: it has two or three indices, none of which is long. */
  isTable({ indices, most, extents }) { return [2, 3].includes(indices.length) && !most && extents.every((extent) => extent <= MOST_ROWS); }

  /** A table with the names of its rows and columns; of three indices one for each value of the first. */
  tables(variable) {
    const [rows, columns] = [-2, -1].map((k) => this.namesAlong(variable, variable.indices.length + k));
    const [first, values] = [variable.indices.length > 2 ? this.namesAlong(variable, 0) : [""], this.valuesOf(variable)];
    const written = (value) => (value === null ? "–" : this.valueText(variable.type)(value));
    const text = (value) => ({ true: "✓", false: "–" }[written(value)] ?? written(value));
    const cells = (tag, texts) => texts.map((textContent) => make(tag, { textContent }));
    return first.map((head, t) => {
      const from = (r) => (t * rows.length + r) * columns.length;
      const lines = rows.map((row, r) => make("tr", {}, ...cells("th", [row]), ...cells("td", values.slice(from(r), from(r + 1)).map(text))));
      return make("table", {}, make("caption", { textContent: `${spaced(variable.name)} ${head}`.trim() }), make("tr", {}, ...cells("th", ["", ...columns])), ...lines);
    });
  }

  /** Whether a variable in words lies beside the boards nevertheless: a number, or without boards a table. */
  isShown(variable) { return variable.look === "words" && !variable.placed && ((!variable.indices.length && /^-?\d+$/.test(this.valueText(variable.type)(this.valuesOf(variable)[0]))) || (!this.data.boards.length && this.isTable(variable))); }

  /** Whether it names a player, and at each decision so far it was the one to move: the status says that. */
  echoesTurn({ look, indices, type, place }) {
    const turns = this.play.path().filter(({ who }) => who !== null).map(({ who, parent }) => [who, parent.state]).concat(this.play.node.kind === "decision" ? [[this.play.mover(), this.play.state]] : []);
    return look === "words" && !indices.length && turns.length > 0 && turns.every(([who, state]) => this.valueText(type)(this.game.view(state)[place]) === this.game.players[who]);
  }

  /** What everybody's variables show. */
  things() {
    const ways = this.data.game.variables.some((variable) => (variable.own && variable.look === "cards") || this.isSeats(variable)) ? [] : this.play.options(); // what a hand's cards do, nothing else does
    const sheet = this.sheet();
    const left = this.data.game.variables.filter((variable) => !sheet?.of.includes(variable));
    const pictured = left.filter((variable) => !variable.own && !["board", "kept", "words", "hidden", "turn"].includes(variable.look) && !this.isSeats(variable));
    const said = left.filter((variable) => this.isShown(variable)).flatMap((variable) => (this.isTable(variable) ? this.tables(variable) : [counter(variable.name, this.valueText(variable.type)(this.play.shownCells()[variable.place]))]));
    return [...this.pot(), ...said, ...pictured.flatMap((variable) => this.picture(variable, this.valuesOf(variable), ways)), ...(sheet ? [sheet.table] : [])];
  }

  /** What all have put in the pot together. */
  pot() {
    const put = this.data.game.variables.filter(({ name, own, look, indices }) => own && look === "counters" && indices.length === 1 && POT.test(spaced(name)));
    return put.map((variable) => counter(this.play.say("pot"), this.valuesOf(variable).reduce((sum, value) => sum + Number(value), 0)));
  }

  /** A score sheet: a set whose members actions of their names take out, for points: what each has brought, or would bring
   * now. Null where there is no such set. */
  sheet() {
    if (this.data.hidden) return null;
    const { variables, types } = this.game.told;
    const points = this.data.game.variables.find(({ name, indices, type }) => POINTS.test(name) && !indices.length && types[type].set === undefined);
    const open = this.data.game.variables.find(({ own, indices, type }) => !own && !indices.length && types[type].set !== undefined);
    if (!points || !open || !variables) return null;
    const write = this.game.text(types[open.type].set, true);
    const all = membersOf(this.game.view(this.play.start.state)[open.place]);
    const scores = (name, each) => name?.endsWith?.(`(${write(each)})`);
    const scored = all.map((each) => this.play.path().find((place) => place.who !== null && scores(place.name, each)));
    const ways = all.map((each) => this.play.options().find(({ name }) => scores(name, each)));
    if (![...scored, ...ways].some(Boolean)) return null;
    const gain = (before, after) => after[points.place] - before[points.place];
    const cell = (k) => {
      if (scored[k]) return [make("b", { textContent: String(gain(this.game.view(scored[k].parent.state), this.game.view(scored[k].state))) })];
      const brings = ways[k] && `+${gain(this.squares.seenBefore(), this.squares.seenAfter(ways[k]))}`;
      return ways[k] ? [Object.assign(button(brings, () => this.play.go(ways[k].name)), { title: ways[k].name, ariaLabel: `${ways[k].name} ${brings}` })] : ["–"];
    };
    const row = (head, ...inside) => make("tr", {}, make("th", { textContent: head }), make("td", {}, ...inside));
    const rows = all.map((each, k) => row(spaced(write(each)), ...cell(k)));
    return { of: [points, open], table: make("table", { className: "sheet" }, ...rows, row(spaced(points.name), make("b", { textContent: String(this.valuesOf(points)[0]) }))) };
  }

  /** What of a player's lies beside their name. */
  belongings(player) {
    return this.data.game.variables.filter((variable) => (variable.own && variable.look !== "words") || this.isSeats(variable)).flatMap((variable) => {
      if (this.isSeats(variable)) return this.handsOfTeam(variable, player);
      const each = variable.count / this.game.players.length;
      return this.picture(variable, this.valuesOf(variable).slice(player * each, (player + 1) * each), player === this.play.mover() ? this.play.options() : [], variable.place + player * each);
    });
  }

  /** Whether it holds the hands of those who sit at the table, where the players are teams of them. */
  isSeats({ look, indices, most, type }) {
    const turn = this.data.game.variables.find((each) => each.look === "turn");
    return look === "cards" && indices.length === 1 + Math.sign(most) && indices[0] === turn?.type && (most || this.game.told.types[type].set !== undefined);
  }

  /** The hands of those of a team, each beside a name; whoever's turn it is plays from theirs. */
  handsOfTeam(variable, player) {
    const each = variable.count / variable.extents[0];
    const acts = player === this.play.mover() ? this.play.actor(player) : null;
    return this.namesAlong(variable, 0).flatMap((name, k) => (this.game.players[player].split(" & ").includes(name) ? this.picture({ ...variable, name, own: true }, this.valuesOf(variable).slice(k * each, (k + 1) * each), name === acts ? this.play.options() : [], variable.place + k * each) : []));
  }

  /** A variable that neither boards nor things show, or not all of it, as lines or tables. */
  inWords(variable) {
    if (variable.look === "hidden") return [make("details", {}, make("summary", { textContent: variable.name }), ...this.inWords({ ...variable, look: "folded" }))];
    const values = this.valuesOf(variable);
    if (this.isShown(variable) || (variable.placed && values.every((value) => typeof value === "number"))) return [];
    if (this.isTable(variable)) return this.tables(variable);
    const [written, isOne] = [this.valueText(variable.type), !variable.indices.length && !variable.most];
    const text = (value) => (isOne ? written(value).replace(/^\{(.*)\}$/, (_, inside) => inside || "–") : written(value));
    const heads = variable.indices.map((_, k) => this.namesAlong(variable, k));
    const wide = variable.most || (heads.at(-1)?.length ?? 1);
    const rows = Array.from({ length: Math.min(MOST_ROWS, values.length / wide) }, (_, k) => values.slice(k * wide, (k + 1) * wide));
    return rows.map((row, k) => {
      const [named] = heads.slice(0, -1).reduceRight(([words, at], each) => [[each[at % each.length], ...words], Math.floor(at / each.length)], [[], k]);
      const listed = variable.most ? `[${row.filter((value) => value !== null).map(text).join(", ")}]` : row.slice(0, MOST_ROWS).map((value, at) => `${heads.length ? `${heads.at(-1)[at] ?? at}: ` : ""}${text(value)}`).join(", ");
      return make("p", { textContent: `${[variable.name, ...named].join(" ")}${heads.length && !variable.most ? ": " : " = "}${listed}` });
    });
  }
}
