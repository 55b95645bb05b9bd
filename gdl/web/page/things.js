// Beside the boards: the players with what is theirs, and pictures of the variables that no board shows: hands of cards,
// dice, heaps, tracks with men on them, counters.
import { areTurned, colour, manSign, shownCells, standing } from "./board.js";
import { HIDDEN } from "./game.js";
import { button, data, game, go, mover, node, options, say, state, viewer } from "./page.js";

const DICE = /\b(dice|die)(\b|_)/i; // what an array over 1..6, or its game, is called whose elements say how often a face lies there
const [MOST_STONES, LONGEST_TRACK, LEAST_HEAP, MOST_HANDS, MOST_TAKINGS] = [24, 40, 3, 8, 200];
let begun = null; // the state at the start

/** A card; a button where one of these actions alone plays it, by the name of the card. */
function card(text, ways = [], called = text) {
  const fitting = ways.filter(({ name }) => name === called || name.endsWith(`(${called})`));
  const className = `card${/[♥♦]/.test(text) ? " red" : ""}`;
  return fitting.length === 1 ? Object.assign(button(text, () => go(fitting[0].name), className), { title: fitting[0].name }) : make("span", { className, textContent: text });
}

const cardBack = () => make("span", { className: "card back", role: "img", ariaLabel: say("a hidden card") });
const spaced = (name) => name.replaceAll("_", " ");
const counter = (name, text) => make("span", { className: "counter" }, `${spaced(name)} `, make("b", { textContent: text }));
const stone = (fill = "") => make("span", { className: "stone", style: `background: ${fill}` });
const die = (face) => make("span", { className: "die", textContent: String.fromCharCode(0x267f + face), role: "img", ariaLabel: say("a die with {0}", face) });

const areFaces = (name, heads) => DICE.test(`${name} ${document.title}`) && String(heads) === "1,2,3,4,5,6";

const valueText = (type) => (value) => (value === HIDDEN ? HIDDEN : game.text(type)(value));
const namesAlong = (variable, k) => Array.from({ length: variable.extents[k] }, (_, i) => game.text(variable.indices[k])(i + variable.bases[k]));
const isCount = (values) => values.every((value) => value === HIDDEN || (typeof value === "number" && value >= 0));

/** Whether it has a row of elements for each player, in their order. */
function isByPlayer(variable) {
  return variable.extents[0] === game.players.length && String(namesAlong(variable, 0)) === String(game.players);
}

/** Whether some player does not see all of it. */
function isSecret({ place, count }) {
  return data.hidden && game.players.some((_, p) => game.view(state(), p).slice(place, place + count).includes(HIDDEN));
}

/** Whether it is shown as cards: hidden from somebody, or of the names of something that is. */
function isCards(variable) {
  const kind = ({ type }) => String(game.told.types[type].names ?? "");
  return isSecret(variable) || (kind(variable) !== "" && data.game.variables.some((each) => kind(each) === kind(variable) && isSecret(each)));
}

/** Cards for a value: those of a set, one for anything else, none for none. */
function cards(type, value, ways) {
  if (value === HIDDEN) return [cardBack()];
  if (value === null) return [];
  const { set } = game.told.types[type];
  const draw = (each) => card(game.text(set ?? type)(each), ways, game.text(set ?? type, true)(each));
  return set === undefined ? [draw(value)] : [...BigInt(value).toString(2)].reverse().flatMap((bit, k) => (bit === "1" ? [draw(k)] : []));
}

/** So many pictures of one thing; of more than are drawn one, and the number. */
const several = (count, draw) => (count > MOST_STONES ? [draw(), `×${count}`] : Array.from({ length: count }, draw));

const hand = (name, inside) => make("span", { className: "hand" }, `${spaced(name)} `, ...(inside.length ? inside : ["–"]));

/** What a variable shows of a player, whose elements these are, and who can do this now. */
function ownPicture(variable, values, ways) {
  const { name, type } = variable;
  if (variable.most) return [hand(name, values.flatMap((value) => cards(type, value, ways)))];
  if (variable.indices.length === 1) {
    const isSet = game.told.types[type].set !== undefined;
    if (isSet || isSecret(variable)) return [hand(name, cards(type, values[0], isSet ? ways : []))];
    const text = valueText(type)(values[0]);
    return text === "false" ? [] : [text === "true" ? make("span", { className: "counter", textContent: name }) : counter(name, values[0] === null ? "–" : text)];
  }
  const heads = namesAlong(variable, 1);
  if (values.every((value) => value === HIDDEN)) return [hand(name, [cardBack()])];
  if (isSecret(variable)) return [hand(name, values.flatMap((value, k) => (value === HIDDEN ? [cardBack()] : several(value, () => (areFaces(name, heads) ? die(k + 1) : card(heads[k], ways))))))];
  return values.flatMap((value, k) => (value ? [counter(manSign(heads[k]) ?? heads[k], String(value))] : []));
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

/** What a variable of everybody's shows; null where nothing but words do. */
function commonPicture(variable, values) {
  const { name, type, indices } = variable;
  const { set } = game.told.types[type];
  if (variable.most && indices.length === 1) return [hand(name, values.flatMap((value) => cards(type, value)))];
  if (!indices.length && !data.boards.length && (set !== undefined || isCards(variable))) return [hand(name, cards(type, values[0]))];
  const initial = game.view(begun ??= game.initial(), null).slice(variable.place, variable.place + variable.count);
  if (!indices.length && !data.boards.length && initial[0] >= LEAST_HEAP) return [make("span", { className: "heap" }, pile(values[0], variable.place), `${spaced(name)}: ${values[0]}`)];
  const told = values.map(valueText(type));
  const isTruth = told.every((text) => text === "true" || text === "false");
  if (!indices.length && (data.boards.length || values[0] === null)) return null;
  if (!indices.length && !isTruth) return [counter(name, told[0])];
  if (indices.length > 1 || values.length > LONGEST_TRACK || values.every((value) => value === HIDDEN)) return null;
  const heads = indices.length ? namesAlong(variable, 0) : [""];
  if (isTruth) return told.flatMap((text, k) => (text === "true" ? [make("span", { className: "counter", textContent: `${name} ${heads[k]}` })] : []));
  if (!data.boards.length && (set !== undefined || (game.told.types[type].names && values.length <= MOST_HANDS))) return values.map((value, k) => hand(`${name} ${heads[k]}`, cards(type, value)));
  if (set !== undefined || game.told.types[type].names || !isCount(values)) return null;
  if (areFaces(name, heads)) return values.flatMap((count, k) => several(count, () => die(k + 1)));
  if (!initial.some(Number)) return values.map((value, k) => counter(`${name} ${heads[k]}`, String(value)));
  const taking = takings();
  return [make("div", { className: "heaps" }, ...values.map((count, k) => make("span", { className: "heap", title: `${name} ${heads[k]}: ${count}` }, pile(count, variable.place + k, taking), `${heads[k]}: ${count}`)))];
}

/** Whether a variable has a picture that is no board: of each player's, of everybody's, or none. */
function kindOf(variable, index) {
  if (data.steps || data.drawn.includes(index) || data.placed.includes(index)) return "none";
  if (variable.name.includes(".")) return "kept"; // no name of an author's
  const values = shownCells().slice(variable.place, variable.place + variable.count);
  if (isByPlayer(variable) && (variable.indices.length === 1 || (variable.indices.length === 2 && (variable.most || (variable.extents[1] <= LONGEST_TRACK && isCount(values)))))) return "own";
  return commonPicture(variable, values) ? "common" : "none";
}

const valuesOf = ({ place, count }) => shownCells().slice(place, place + count);

/** What everybody's variables show, and the numbers of the variables that are told in words alone. */
export function things() {
  const variables = data.game.variables ?? [];
  const kinds = variables.map(kindOf);
  return {
    pictures: variables.flatMap((variable, k) => (kinds[k] === "common" ? commonPicture(variable, valuesOf(variable)) : [])),
    words: variables.map((_, k) => k).filter((k) => kinds[k] === "none"),
  };
}

/** What of a player's lies beside their name. */
function belongings(player) {
  return (data.game.variables ?? []).flatMap((variable, k) => {
    if (kindOf(variable, k) !== "own") return [];
    const each = variable.count / game.players.length;
    return ownPicture(variable, valuesOf(variable).slice(player * each, (player + 1) * each), player === mover() ? options() : []);
  });
}

/** Pictures of the men of the start that have gone from the boards, of two players the other's; what has only changed
 * its sign has not gone, and what is in a hand is seen there. */
function takenBy(player) {
  const isHand = (variable) => isByPlayer(variable) && variable.indices.length === 2 && namesAlong(variable, 1).some((name) => manSign(name));
  if (data.hidden || data.steps || game.players.length !== 2 || !data.boards.length || data.game.variables.some(isHand)) return [];
  begun ??= game.initial();
  const owner = 1 - player;
  const men = (cells) => data.boards.flatMap((board) => board.squares.map((square) => standing(board, square, cells))).filter((each) => each.owner === owner && each.sign);
  const left = men(shownCells()).map(({ sign }) => sign);
  const all = men(game.view(begun, null));
  const lost = Math.max(0, all.length - left.length);
  const gone = all.filter(({ sign }) => { const k = left.indexOf(sign); if (k >= 0) left.splice(k, 1); return k < 0; });
  const picture = (glyph) => (glyph ? make("span", { className: "lost", textContent: glyph, style: `color: ${colour(owner)}` }) : stone(colour(owner)));
  return gone.slice(0, lost).map(({ name }) => picture(manSign(name, owner)));
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
  const nearest = viewer ?? 0;
  const below = areTurned() && rows.length > 1 ? (nearest + 1) % rows.length : nearest;
  if (byId("below").firstChild === rows[below]) return;
  byId("above").replaceChildren(...rows.filter((_, p) => p !== below));
  byId("below").replaceChildren(rows[below]);
}
