// Beside the boards: the players with what is theirs, and pictures of the variables that no board shows: hands of cards,
// dice, heaps, tracks with men on them, counters.
import { clicks, colour, handOf, manSign, pickInHand, shownCells, standing, turned } from "./board.js";
import { HIDDEN, same } from "./game.js";
import { button, data, game, go, mover, node, options, say, show, state, viewer } from "./page.js";

const [MOST_STONES, MOST_BACKS, MOST_TAKINGS] = [24, 5, 200];
export const MOST_ROWS = 60; // of a table
let begun = null; // the state at the start

/** A card; a button where one of these actions alone plays it, by the name of the card. */
function card(text, ways = [], called = text) {
  const fitting = ways.filter(({ name }) => name === called || name.endsWith(`(${called})`));
  const className = `card${/[♥♦]/.test(text) ? " red" : ""}`;
  return fitting.length === 1 ? Object.assign(button(text, () => go(fitting[0].name), className), { title: fitting[0].name }) : make("span", { className, textContent: text });
}

const cardBack = () => make("span", { className: "card back", role: "img", ariaLabel: say("a hidden card") });
const spaced = (name) => name.replaceAll("_", " ");
const counter = (name, text, made = make("span", { className: "counter" })) => { made.replaceChildren(`${spaced(name)} `, make("b", { textContent: text })); return made; };
const stone = (fill = "") => make("span", { className: "stone", style: `background: ${fill}` });
const die = (face) => make("span", { className: "die", textContent: String.fromCharCode(0x267f + face), role: "img", ariaLabel: say("a die with {0}", face) });

export const valueText = (type) => (value) => (value === HIDDEN ? HIDDEN : game.text(type)(value));
export const namesAlong = (variable, k, inNames = false) => Array.from({ length: variable.extents[k] }, (_, i) => game.text(variable.indices[k], inNames)(i + variable.bases[k]));

/** Cards for a value: those of a set, one for anything else, none for none. */
function cards(type, value, ways) {
  if (value === null) return [];
  const { set } = game.told.types[type];
  const draw = (each) => card(game.text(set ?? type)(each), ways, game.text(set ?? type, true)(each));
  return set === undefined ? [draw(value)] : [...BigInt(value).toString(2)].reverse().flatMap((bit, k) => (bit === "1" ? [draw(k)] : []));
}

/** So many pictures of one thing; of more than are drawn one, and the number. */
const several = (count, draw, most = MOST_STONES) => (count > most ? [draw(), `×${count}`] : Array.from({ length: count }, draw));

/** Cards for values side by side; many hidden ones, as in a deck, are one with their number. */
const laid = (type, values, ways) => [...values.filter((value) => value !== HIDDEN).flatMap((value) => cards(type, value, ways)), ...several(values.filter((value) => value === HIDDEN).length, cardBack, MOST_BACKS)];

const hand = (name, inside) => make("span", { className: "hand" }, `${spaced(name)} `, ...(inside.length ? inside : ["–"]));

/** So many cards or dice of each kind; one card where all are hidden. */
function counted(look, heads, values, ways, called = heads) {
  if (values.every((value) => value === HIDDEN)) return [cardBack()];
  return values.flatMap((value, k) => (value === HIDDEN ? [cardBack()] : several(value ?? 0, () => (look === "dice" ? die(k + 1) : card(heads[k], ways, called[k])))));
}

let [heldAt, heldIn] = [[], null]; // dice that were clicked, from the left, and in which state

/** Whether an action names how many dice of each face stay, of so many faces: it is done by clicks on dice. */
const namesFaces = (name, faces) => /\(\d+(, \d+)+\)$/.test(name) && name.split(", ").length === faces;
export const isByDice = ({ name }) => data.game.variables.some(({ look, own, count }) => look === "dice" && !own && namesFaces(name, count));

/** Dice that are held by clicks, and the button for the action that keeps those. */
function heldDice(values) {
  if (heldIn !== state()) [heldAt, heldIn] = [[], state()];
  const faces = values.flatMap((count, k) => Array.from({ length: count }, () => k));
  const counts = values.map((_, k) => heldAt.filter((at) => faces[at] === k).length).join(", ");
  const option = options().find(({ name }) => namesFaces(name, values.length) && name.endsWith(`(${counts})`));
  const toggle = (at) => { heldAt = heldAt.includes(at) ? heldAt.filter((each) => each !== at) : [...heldAt, at]; show(); };
  const dice = faces.map((face, at) => make("button", { type: "button", className: "hold", onclick: () => toggle(at), ariaPressed: String(heldAt.includes(at)) }, die(face + 1)));
  return option ? [...dice, button(option.name.split("(")[0], () => go(option.name))] : dice;
}

/** The one action that leaves so many in a heap, and all else as it is, by "cell left". */
function takings() {
  const [before, found] = [game.view(state()), {}];
  for (const option of node.kind === "decision" && !data.hidden ? options().slice(0, MOST_TAKINGS) : []) {
    const after = game.view(game.next(state(), option.row));
    const changed = [...before.keys()].filter((cell) => after[cell] !== before[cell]);
    const key = `${changed} ${after[changed[0]]}`;
    if (changed.length === 1) found[key] = key in found ? null : option;
  }
  return found;
}

/** A heap: a click on a stone takes it and those above, where an action does that alone. */
function pile(count, cell, taking = takings()) {
  const taken = (option) => (option ? Object.assign(button("", () => go(option.name), "stone"), { title: option.name, ariaLabel: option.name }) : stone());
  return make("span", { className: "pile" }, ...(count > MOST_STONES ? [String(count)] : Array.from({ length: count }, (_, left) => taken(taking[`${cell} ${left}`]))));
}

/** The men of a kind in a hand, in this cell; to be picked there where an action puts one on a board. */
function held(name, count, cell, ways) {
  if (!ways.some((option) => handOf(option)?.[0].hand === cell)) return counter(name, count);
  return counter(name, count, Object.assign(button("", () => pickInHand(cell), "counter"), { ariaPressed: String(clicks[0]?.hand === cell) }));
}

/** What a variable shows of everybody's, or of a player, whose elements these are, from a place on; `ways`: who can do what
 * now. */
function picture(variable, values, ways, place = variable.place) {
  const { name, type, most, look, own } = variable;
  const heads = variable.indices.length - Math.sign(most) > Number(own) ? namesAlong(variable, Number(own)) : [""];
  const [each, text, kinds] = [values.length / heads.length, valueText(type), own && heads[0] !== ""];
  const called = (k) => `${name} ${heads[k]}`.trim();
  const open = !own || most || game.told.types[type].set !== undefined ? ways : []; // a card that lies there is not played
  if (kinds && look !== "counters") return [hand(name, counted(look, heads, values, ways, namesAlong(variable, 1, true)))];
  if (look === "cards") return heads.map((_, k) => hand(called(k), laid(type, values.slice(k * each, (k + 1) * each), open)));
  if (look === "dice") return ways.some(isByDice) ? heldDice(values) : counted(look, heads, values, []);
  if (look === "flags") return values.flatMap((value, k) => (same(value, true) ? [counter(called(k), "")] : []));
  const number = (value) => (value === null ? "–" : text(value));
  if (kinds) return values.flatMap((value, k) => (value || game.told.types[type].none ? [held(manSign(heads[k]) ?? (/\D/.test(heads[k]) ? heads[k] : called(k)), number(value), place + k, ways)] : []));
  if (look === "counters") return values.map((value, k) => counter(called(k), number(value)));
  const taking = takings();
  return [make("div", { className: "heaps" }, ...values.map((count, k) => make("span", { className: "heap", title: `${called(k)}: ${count}` }, pile(count, place + k, taking), `${heads[k] || spaced(name)}: ${count}`)))];
}

export const valuesOf = ({ place, count }) => shownCells().slice(place, place + count);

/** Whether it is drawn as a table, or as some: it has two or three indices, none of which is long. */
export const isTable = ({ indices, most, extents }) => [2, 3].includes(indices.length) && !most && extents.every((extent) => extent <= MOST_ROWS);

/** A table with the names of its rows and columns; of three indices one for each value of the first. */
export function tables(variable) {
  const [rows, columns] = [-2, -1].map((k) => namesAlong(variable, variable.indices.length + k));
  const [first, values] = [variable.indices.length > 2 ? namesAlong(variable, 0) : [""], valuesOf(variable)];
  const written = (value) => (value === null ? "–" : valueText(variable.type)(value));
  const text = (value) => ({ true: "✓", false: "–" }[written(value)] ?? written(value));
  const cells = (tag, texts) => texts.map((textContent) => make(tag, { textContent }));
  return first.map((head, t) => {
    const from = (r) => (t * rows.length + r) * columns.length;
    const lines = rows.map((row, r) => make("tr", {}, ...cells("th", [row]), ...cells("td", values.slice(from(r), from(r + 1)).map(text))));
    return make("table", {}, make("caption", { textContent: `${spaced(variable.name)} ${head}`.trim() }), make("tr", {}, ...cells("th", ["", ...columns])), ...lines);
  });
}

const isNumber = ({ indices, type, place }) => !indices.length && /^-?\d+$/.test(valueText(type)(shownCells()[place]));

/** Whether a variable in words lies beside the boards nevertheless: a number, or without boards a table. */
export const isShown = (variable) => variable.look === "words" && !variable.placed && (isNumber(variable) || (!data.boards.length && isTable(variable)));

/** What everybody's variables show. */
export function things() {
  const ways = data.game.variables.some(({ look, own }) => own && look === "cards") ? [] : options(); // what a hand's cards do, nothing else does
  const pictured = data.game.variables.filter(({ look, own }) => !own && !["board", "kept", "words", "hidden"].includes(look));
  const said = data.game.variables.filter(isShown).flatMap((variable) => (isTable(variable) ? tables(variable) : [counter(variable.name, valueText(variable.type)(shownCells()[variable.place]))]));
  return [...said, ...pictured.flatMap((variable) => picture(variable, valuesOf(variable), ways))];
}

/** What of a player's lies beside their name. */
function belongings(player) {
  return data.game.variables.filter(({ look, own }) => own && look !== "words").flatMap((variable) => {
    const each = variable.count / game.players.length;
    return picture(variable, valuesOf(variable).slice(player * each, (player + 1) * each), player === mover() ? options() : [], variable.place + player * each);
  });
}

/** Pictures of the men of the start that have gone from the boards, of two players the other's; what has only changed
 * its sign has not gone, and what is in a hand is seen there. */
function takenBy(player) {
  const isHand = (variable) => variable.own && variable.indices.length === 2 && namesAlong(variable, 1).some((name) => manSign(name));
  if (data.hidden || game.players.length !== 2 || !data.boards.length || data.game.variables.some(isHand)) return [];
  begun ??= game.initial();
  const owner = 1 - player;
  const men = (cells) => data.boards.flatMap((board) => board.squares.map((square) => standing(board, square, cells))).filter((each) => each.owner === owner && each.sign);
  const left = men(shownCells()).map(({ sign }) => sign);
  const all = men(game.view(begun, null));
  const lost = Math.max(0, all.length - left.length);
  const gone = all.filter(({ sign }) => { const k = left.indexOf(sign); if (k >= 0) left.splice(k, 1); return k < 0; });
  const man = (glyph) => (glyph ? make("span", { className: "lost", textContent: glyph, style: `color: ${colour(owner)}` }) : stone(colour(owner)));
  return gone.slice(0, lost).map(({ name }) => man(manSign(name, owner)));
}

let rows = null; // the strip of each player, made once: who has opened a choice in it keeps it open

/** The strips with the players, the one whose side is shown below. `seat` makes the choice of who plays; `thinks`: of
 * whom it is told that they think; `curtained`: nothing of theirs is shown. */
export function showStrips(seat, thinks, curtained) {
  rows ??= game.players.map((name, p) => make("div", { className: "strip" }, stone(colour(p)), make("span", { className: "name", textContent: name }), seat(p), make("span", { className: "theirs" })));
  rows.forEach((row, p) => {
    const moves = node.kind === "everyone" ? node.options[p].length > 0 : mover() === p;
    row.classList.toggle("turn", moves);
    const thought = thinks === p ? [make("span", { className: "thinks", textContent: say("thinking …") })] : [];
    row.lastChild.replaceChildren(...thought, ...(curtained ? [] : [make("span", { className: "taken" }, ...takenBy(p)), ...belongings(p)]));
  });
  const below = ((viewer ?? 0) + Number(turned)) % rows.length;
  if (byId("below").firstChild === rows[below]) return;
  byId("above").replaceChildren(...rows.filter((_, p) => p !== below));
  byId("below").replaceChildren(rows[below]);
}
