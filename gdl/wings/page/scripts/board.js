// The boards of the page, and moves by clicks on their squares.
import { HIDDEN, same } from "./game.js";
import { advised, at, button, data, game, go, mover, node, options, path, say, show, state, viewer, winners } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const BRIGHT = ["#fdfdf8", "#f0e442", "#e6b422", "#b9bec4", "#e7a1c4"]; // colours on which letters are dark
const PROMOTED = "と杏圭全馬龍";
const [SEEDS, GOLDEN] = [24, 2.4]; // seeds of a pit that are drawn, and the angle from one to the next
export let clicks = []; // squares that were clicked on the way to a move
export let turned = false;
let cursor = null; // where the keyboard is: a board's number and a square's

export const forgetClicks = () => { clicks = []; };
export const turnBoards = () => (turned = !turned);

// ---- The board ----------------------------------------------------------------------------------------------------------

function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  setAttributes(made, attributes);
  made.append(...inside);
  return made;
}

export const colour = (player) => data.colours[player];

/** The cells of the present position, as far as they may be shown. */
export const shownCells = () => game.view(state(), viewer);

/** The men of a stack on a square, from below. */
function stack(board, square, cells = shownCells()) {
  const level = (k) => ({ ...square, cells: square.cells.filter((_, n) => n % board.stacked === k) });
  const one = { ...board, stacked: 0, variables: board.variables.filter((_, n) => n % board.stacked === 0) };
  return square.cells.slice(0, board.stacked).flatMap((at, k) => (cells[at] === null ? [] : [standing(one, level(k), cells)]));
}

/** What stands on a square, of a stack on top: a sign, whose it is, and what it is called. */
export function standing(board, square, cells = shownCells()) {
  if (board.stacked) return stack(board, square, cells).at(-1) ?? { sign: "", owner: null, name: "" };
  const values = square.cells.map((at) => cells[at]);
  if (board.kind === "lanes") return { sign: "", owner: null, name: values.map((count, p) => (count ? `${count} ${game.players[p]}` : "")).join(" ").trim() };
  if (board.set) return { sign: values[0] !== HIDDEN && (BigInt(values[0]) >> BigInt(Object.values(square.is)[0])) & 1n ? "x" : "", owner: null, name: "" };
  const { variables } = board;
  const owner = values.map((value, k) => variables[k].owners[value]).find(Number.isInteger) ?? null;
  const known = values.map((value, k) => variables[k].signs.find(([each]) => same(each, value)));
  const signs = values.map((value, k) => known[k]?.[1] ?? (value === null || value === HIDDEN ? "." : String(value)));
  const more = signs.filter((each, k) => each !== "." && (!variables[k].players || values.length === 1)).join("");
  if (!more && values.includes(HIDDEN)) return { sign: variables.some(({ players }, k) => players && values[k] === null) ? "" : HIDDEN, owner, name: "hidden" };
  const said = board.said.find((row) => row.slice(0, -1).every((each, k) => same(each, values[k])));
  const empty = !values.some((value) => value) && values.includes(null) && !board.crossed;
  const sign = said?.at(-1) ?? (empty ? "." : more || signs.find((each) => each !== ".") || ".");
  if (sign === ".") return { sign: "", owner, name: "" };
  const names = values.map((value, k) => (known[k]?.[0] === true ? variables[k].called : variables[k].names[value]));
  return { sign, owner, name: names.filter(Boolean).join(" ") };
}

/** The boards that are drawn: not those all of which is hidden, if there are others. */
function shownBoards() {
  const cells = shownCells();
  const seen = data.boards.filter((board) => board.squares.some((square) => !square.cells.length || square.cells.some((at) => cells[at] !== HIDDEN)));
  return seen.length ? seen : data.boards;
}

/** The names of the variables that hold this square and are drawn nowhere else. */
function holders(square) {
  const single = data.game.variables.filter(({ look, indices, placed }) => look === "words" && !indices.length && !placed);
  return single.filter(({ type, place }) => ![null, HIDDEN].includes(shownCells()[place]) && game.text(type, true)(shownCells()[place]) === square.name && /[a-z]/i.test(square.name)).map(({ name }) => name.replaceAll("_", " "));
}

/** The part of a board without end on which men stand or can be put, and a square around it. */
function aroundMen(board) {
  const ways = node.kind === "decision" ? node.options : options(); // while the computer thinks, too
  const taken = board.squares.filter((square) => standing(board, square).sign || ways.some((option) => stepsOf(option).some((step) => matches(step, square))));
  const [[left, right], [top, low]] = ["x", "y"].map((axis) => (taken.length ? taken : board.squares).map((each) => each[axis])).map((all) => [Math.min(...all) - 1, Math.max(...all) + 1]);
  return board.squares.filter(({ x, y }) => left <= x && x <= right && top <= y && y <= low);
}

export function figure(board) {
  const dots = board.dots ?? [];
  const near = board.endless ? aroundMen(board) : board.squares;
  const [left, top] = ["x", "y"].map((axis) => (board.endless ? Math.min(...near.map((each) => each[axis])) : 0));
  const [width, height] = ["x", "y"].map((axis) => Math.max(...[...near, ...dots].map((each) => each[axis])) + 1);
  const room = board.labels.length ? 0.6 : 0.1;
  const shown = shownBoards();
  if (!shown.includes(board)) return "";
  const svg = element("svg", { viewBox: `${left - room - 0.5} ${top - 0.6} ${width - left + room + 0.2} ${height - top + room + 0.2}`, role: "group", "aria-label": board.title || say("board") });
  const at = (thing) => (turned ? [width - 1 - thing.x + left, height - 1 - thing.y + top] : [thing.x, thing.y]);
  for (const ends of board.edges) {
    const [[x1, y1], [x2, y2]] = ends.map((end) => at(board.squares[end]));
    svg.append(element("line", { x1, y1, x2, y2, class: "joined" }));
  }
  for (const label of board.endless ? [] : board.labels) {
    const [x, y] = label.y > height - 0.5 ? [at(label)[0], label.y] : [label.x, at(label)[1]];
    svg.append(element("text", { x, y, class: "label" }, document.createTextNode(label.text)));
  }
  const sparse = 3 * board.squares.filter((square) => options().some((option) => begins(option, [square], true))).length < board.squares.length;
  for (const square of near) svg.append(drawn(board, square, ...at(square), sparse, `${data.boards.indexOf(board)} ${board.squares.indexOf(square)}`));
  for (const [x, y, name] of dots.map((dot) => [...at(dot), dot.name])) svg.append(element("circle", { cx: x, cy: y, r: 0.1, class: "point" }), text(name, { x: x + 0.2, y: y + 0.24, class: "label" }));
  return make("figure", {}, ...(shown.length > 1 ? [make("figcaption", { textContent: board.title })] : []), svg);
}

function drawn(board, square, x, y, sparse, place) {
  const { sign, owner, name } = standing(board, square);
  const men = (board.men || []).filter((each) => board.squares[shownCells()[each.cell]] === square);
  const group = element("g", { class: `square ${board.kind}`, transform: `translate(${x} ${y})`, "data-at": place, role: "button" });
  const open = options().some((option) => begins(option, [...clicks, square]));
  const hinted = advised && options().find((option) => option.name === advised);
  const usable = Boolean(pickedWith(square)) || clicks.includes(square);
  setClasses(group, {
    open: usable, dark: square.dark, chosen: clicks.includes(square), gone: square.line && !sign, won: square.cells.some((cell) => winners().has(cell)),
    target: open && (clicks.length > 0 || (sparse && options().some((option) => begins(option, [square], true)))),
    last: lastMove().some((step) => matches(step, square)) && (!square.cells.length || changed(square)),
    advised: hinted && stepsOf(hinted).some((step) => matches(step, square)),
  });
  if (board.kind === "lanes") group.append(...lane(square, y > 0 ? -1 : 1));
  else if (square.line) group.append(...edge(square, owner));
  else group.append(board.pit ? element("ellipse", { rx: 0.46, ry: square.y % 1 ? 0.92 : 0.46, class: "ground" }) : element("g", {}, ground(board.kind), ...marked(square, sign || men.length)));
  if (board.kind === "crossings") group.append(...crossing(x, y, board));
  const pile = board.stacked ? stack(board, square) : [];
  const said = square.line ? [] : board.pit ? seeds(Number(sign)) : pile.length > 1 ? piled(pile, board) : man(sign, owner, name, board);
  const aside = said.length && (men.length || (board.men && owner !== null));
  if (square.called || (board.men && !board.labels.length)) group.append(text(calledOf(square), { x: -0.36, y: -0.36, class: "name" }), " ");
  group.append(...(aside ? [element("g", { transform: `translate(${owner === null ? "-0.26 0.26) scale(0.6)" : "-0.32 0.32) scale(0.4)"}` }, ...said)] : said), ...sideBySide(men, aside ? 0.8 : board.kind === "points" ? 0.7 : 1, board));
  const held = holders(square);
  if (held.length) group.append(text(held.join(", "), { y: -0.33, "font-size": `${Math.min(0.24, 1.6 / held.join(", ").length)}px`, fill: "#222" }));
  group.append(element("circle", { r: 0.15, class: "dot" }));
  squareOf.set(group, square);
  const called = (each) => [each.owner === null ? "" : game.players[each.owner], each.name, each.name && (each.sign.length < 2 || glyphOn(board, each.name, each.owner ?? 0)) ? "" : each.sign].filter(Boolean).join(" ");
  const told = [calledOf(square), ...men.map((each) => each.sign), pile.length > 1 ? pile.toReversed().map(called).join(", ") : called({ sign, owner, name }), ...men.map((each) => each.name), ...held];
  const title = told.filter(Boolean).join(" ");
  group.append(element("title", {}, document.createTextNode(title)));
  cursor ??= place;
  setAttributes(group, { tabindex: cursor === place ? "0" : "-1", "aria-disabled": String(!usable), "aria-label": title || place });
  group.addEventListener("focus", () => { cursor = place; });
  group.addEventListener("keydown", (event) => walk(event, group, usable && (() => click(square))));
  if (usable || clicks.length) group.addEventListener("click", () => click(square));
  if (usable) group.addEventListener("pointerdown", (event) => lift(event, group, square));
  return group;
}

const TOWARDS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Keys on a square: arrows go to the nearest one that way, Enter and Space are a click. */
function walk(event, group, act) {
  const way = TOWARDS[event.key];
  if (!way && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  if (!way) { if (act) act(); return; }
  const middle = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const [x, y] = middle(group);
  const far = (each) => {
    const [dx, dy] = [middle(each)[0] - x, middle(each)[1] - y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    return along > 1 && aside <= 2 * along ? along + 2 * aside : Infinity;
  };
  const next = [...byId("boards").querySelectorAll(".square")].reduce((best, each) => (far(each) < far(best) ? each : best), group);
  if (far(next) < Infinity) { group.setAttribute("tabindex", "-1"); next.setAttribute("tabindex", "0"); next.focus(); }
}

/** The boards drawn anew; the square on which the keyboard was has it again. */
export function drawBoards(boards) {
  const focused = document.activeElement?.closest(".square, #choices") ? cursor : null;
  byId("boards").replaceChildren(...boards.map(figure));
  if (focused) byId("boards").querySelector(`[data-at="${focused}"]`)?.focus();
  offerChoices();
}

/** The position that the last move led to, behind which chance alone has acted. */
const lastMade = () => path().findLast(({ who }) => who !== null);

/** What the last move names of the board, where everything is seen. */
function lastMove() {
  const place = data.hidden ? null : lastMade();
  if (!place) return [];
  place.named ??= game.node(place.parent.state).options.filter((option) => option.name === place.name).flatMap(stepsOf);
  return place.named;
}

const changed = (square) => square.cells.some((cell) => !same(game.view(at.state)[cell], game.view(lastMade().parent.state)[cell]));

const squareOf = new WeakMap(); // what a square on the page stands for

/** The lines of a grid that cross in the middle of a square, which end at its border. */
function crossing(x, y, board) {
  const ends = (at, axis) => [at > 0 ? -0.5 : 0, at < Math.max(...board.squares.map((square) => square[axis])) ? 0.5 : 0];
  const [[x1, x2], [y1, y2]] = [ends(x, "x"), ends(y, "y")];
  return [element("line", { x1, x2, y1: 0, y2: 0, class: "joined" }), element("line", { x1: 0, x2: 0, y1, y2, class: "joined" })];
}

const calledOf = (square) => square.called ?? square.name;

/** The mark of a square; its sign where nothing stands. */
function marked({ mark }, taken) {
  if (!mark) return [];
  return [element("circle", { r: 0.42, class: "mark" }), ...(taken ? [] : [text(mark, { class: "sign", "font-size": "0.55px" })])];
}

function ground(kind) {
  if (kind === "points") return element("circle", { r: 0.3, class: "ground" });
  if (kind === "hexagons") return element("polygon", { points: "0,.577 .5,.289 .5,-.289 0,-.577 -.5,-.289 -.5,.289", class: "ground" });
  return element("rect", { x: -0.5, y: -0.5, width: 1, height: 1, class: "ground" });
}

/** An edge of a graph, in its owner's colour, and around it the room in which it is clicked. */
function edge({ line }, owner) {
  const turn = { d: line, transform: `rotate(${turned ? 180 : 0})` };
  return [element("path", { ...turn, class: "hit" }), element("path", { ...turn, class: "line", stroke: owner === null ? "#8a7044" : colour(owner) })];
}

/** A point of a track, from the edge inwards (1: downwards), with its number and the men of both, closer where they are many. */
function lane(square, inwards) {
  const men = square.cells.flatMap((cell, p) => Array.from({ length: shownCells()[cell] }, () => colour(p)));
  const apart = Math.min(0.86, 4.1 / men.length) * inwards;
  const discs = men.map((fill, k) => element("circle", { cy: apart * k, r: 0.42, fill, class: "disc" }));
  return [element("path", { d: `M-.5 ${-0.5 * inwards}H.5L0 ${4.6 * inwards}Z`, class: "ground" }), element("rect", { x: -0.5, y: inwards > 0 ? -0.5 : -5, width: 1, height: 5.5, fill: "transparent" }), ...discs, text(square.name, { y: 5.2 * inwards, "font-size": "0.45px", class: "label" })];
}

/** The sign of a kind of men of a board, of the boards, where it is known. */
const glyphOn = ({ look, glyphs }, name, owner = 0) => (look === "rings" ? glyphs[name.toLowerCase()]?.[owner] : glyphs[name.toLowerCase()]);
export const manSign = (name, owner = 0) => data.boards.filter((board) => board.variables.some((each) => each.names.includes(name))).map((board) => glyphOn(board, name, owner))[0];

/** So many seeds in a pit, from the middle outwards, and their number. */
function seeds(count) {
  const drawnSeeds = Array.from({ length: Math.min(count, SEEDS) }, (_, k) => element("circle", { r: 0.055, cx: 0.075 * Math.sqrt(k) * Math.cos(GOLDEN * k), cy: 0.075 * Math.sqrt(k) * Math.sin(GOLDEN * k), class: "seed" }));
  return [...drawnSeeds, text(String(count), { y: 0.33, "font-size": "0.26px", class: "number" })];
}

const text = (written, look) => element("text", { ...look, "aria-hidden": true }, document.createTextNode(written));

function man(sign, owner, name, board) {
  if (!sign) return [];
  if (owner === null && sign === "x") return [element("rect", { x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.12, class: "block" })];
  if (board.look === "lines" && owner === null) return [element("path", { d: { "-": "M-.5 0H.5", "|": "M0 -.5V.5" }[sign] ?? "M0 0h.001", class: "stroke" })];
  const glyph = glyphOn(board, name, owner ?? 0);
  if (owner !== null && !name && game.players[owner].length === 1) return [text(game.players[owner], { fill: "#222", "font-size": "0.85px" })];
  const disc = owner !== null ? [element("circle", { r: board.kind === "points" ? 0.26 : 0.38, fill: colour(owner), class: "disc" })] : [];
  if (owner !== null && glyph && board.look === "wedges") return [wedge(owner, glyph)];
  if (owner !== null && glyph && board.look === "rings") return [element("circle", { r: 0.42, fill: "#fbf3dc", stroke: colour(owner), "stroke-width": 0.06 }), text(glyph, { fill: colour(owner), "font-size": "0.55px" })];
  if (glyph && owner === null) return [text(glyph, { fill: "#222", "font-size": "0.85px" })];
  const flag = board.variables.some(({ called }) => called === name); // a truth: a man of a kind, who has something more
  if (glyph && owner !== null && !flag) return [text(glyph, { fill: colour(owner), stroke: "#222", "stroke-width": 0.02, "font-size": "0.85px" })];
  if (owner !== null && !name && (board.variables.length === 1 || sign[0].toLowerCase() === game.players[owner][0].toLowerCase())) return disc;
  return [...disc, lettered(flag ? glyph ?? name : sign, owner)];
}

/** A stack: each man a little above the one below, the top one plain, and how many there are. */
function piled(men, board) {
  const apart = Math.min(0.15, 0.4 / (men.length - 1));
  const place = (k) => `translate(0 ${apart * ((men.length - 1) / 2 - k)})`;
  const below = men.slice(0, -1).map(({ owner }, k) => element("circle", { r: 0.38, fill: owner === null ? "#cfc6b0" : colour(owner), class: "disc", transform: place(k) }));
  const { sign, owner, name } = men.at(-1);
  return [...below, element("g", { transform: place(men.length - 1) }, ...man(sign, owner, name, board)), text(String(men.length), { x: 0.36, y: 0.36, "font-size": "0.3px", class: "number" })];
}

/** A man of shogi, who looks to the other side; red once promoted. */
function wedge(owner, sign) {
  return element("g", { transform: `rotate(${(owner === 1) === turned ? 0 : 180})` }, element("path", { d: "M0 -.44L.3 -.3L.38 .42H-.38L-.3 -.3Z", class: "wedge" }), text(sign, { y: 0.06, fill: PROMOTED.includes(sign) ? "#b3261e" : "#222", "font-size": "0.5px" }));
}

function lettered(sign, owner, most = (owner === null ? 1.5 : 1.1) / sign.length) {
  const pale = owner !== null && !BRIGHT.includes(colour(owner));
  return text(sign, { fill: pale ? "#fff" : "#222", "font-size": `${Math.min(0.55, most)}px` });
}

/** Men side by side, the smaller the more there are, and where something is said of their square. */
function sideBySide(men, room, board) {
  return men.flatMap((each, k) => {
    const owner = each.owner ?? (game.players.length === 1 ? 0 : null);
    const disc = owner === null ? [] : [element("circle", { r: 0.4, fill: colour(owner), class: "disc" })];
    const place = `translate(${(room * ((2 * k + 1) / men.length - 1)) / 2} 0) scale(${room / men.length})`;
    return [element("g", { transform: place }, ...disc, lettered(each.glyph || glyphOn(board, each.name.split(" ").pop()) || each.sign, owner, 0.75 / each.sign.length)), " "];
  });
}

// ---- The picture of a tree ----------------------------------------------------------------------------------------------

/** Where the one to move may be, and what was played. */
export function markPicture() {
  const here = viewer === null || viewer === mover() ? game.possible?.(state()) ?? [] : [];
  const line = !data.hidden || node.kind === "end" ? path().map((place) => place.state.at) : [];
  for (const each of byId("picture").querySelectorAll("[data-n]")) {
    const n = Number(each.dataset.n);
    const open = options().some(({ row }) => here.some((at) => game.nodes[at].to[row] === n));
    setClasses(each, { now: each.matches(".node") && here.includes(n), played: each.matches(".edge") && line.includes(n), open });
    each.removeAttribute("tabindex");
  }
}

byId("picture").addEventListener("click", ({ target }) => {
  const n = Number(target.closest(".open")?.dataset.n);
  const option = options().find(({ row }) => game.possible(state()).some((at) => game.nodes[at].to[row] === n));
  if (option) go(option.name);
});

// ---- Moves by clicks ----------------------------------------------------------------------------------------------------

/** The squares that a name is made of, as e1g1 is; null where it is made of anything else. */
export function squaresInName(name) {
  const found = [];
  let rest = name;
  while (rest) {
    const square = squareNames.find((each) => rest.startsWith(each.name));
    if (!square) return null;
    found.push(square);
    rest = rest.slice(square.name.length).replace(/^[-x>/ ]/, "");
  }
  return found;
}

const squareNames = data.boards.slice(0, 1).flatMap((board) => board.squares).filter((square) => Object.keys(square.is).length === 1).sort((a, b) => b.name.length - a.name.length);

/** What of a board an action names, in its order: a square of a type, or a column. */
const stepsOf = (option) => (option.steps ??= stepsIn(option));

function stepsIn(option) {
  const named = squaresInName(option.name);
  if (named && named.length > option.squares.length) return named.map((square) => { const [[type, value]] = Object.entries(square.is); return { type, value }; });
  if (option.squares.length) return option.squares.map(([type, value]) => ({ type: String(type), value }));
  return option.columns.map((column) => ({ column }));
}

/** Whether clicks on the boards do it. */
export const isClickable = (option) => data.boards.some((board) => board.squares.some((square) => begins(option, [...(handOf(option) ?? []), square])));

/** What the viewer sees after an action. */
const after = (option) => (option.after ??= game.view(game.next(state(), option.row), viewer));

/** The hand from which an action puts a man on a square, as a first click: where other actions move men, nobody drops one
 * by a stray click. Null for other actions. */
export function handOf(option) {
  if (option.hand !== undefined) return option.hand;
  const hands = data.boards.length && node.kind === "decision" && stepsOf(option).length === 1 ? data.game.variables.filter(({ own, look, indices }) => own && look === "counters" && indices.length === 2) : [];
  const cells = hands.flatMap(({ place, count }) => Array.from({ length: count }, (_, k) => place + k));
  const moved = cells.length > 0 && options().some((each) => stepsOf(each).length > 1);
  const cell = moved ? cells.find((each) => after(option)[each] < game.view(state(), viewer)[each]) : undefined;
  return (option.hand = cell === undefined ? null : [{ hand: cell }]);
}

/** A kind of men in the hand is clicked: the next click says where one is put. */
export function pickInHand(hand) {
  clicks = clicks[0]?.hand === hand ? [] : [{ hand }];
  show();
}

const matches = (step, square) => (step.column !== undefined ? square.column === step.column : square.is[step.type] === step.value);

/** Whether an action is done on this square's board: of two seas with the same squares, on the one that it changes. */
function isOn(option, square) {
  const both = data.boards.filter((board) => board.crossed).map((board) => board.squares.find(({ name }) => name === square.name));
  if (!both.includes(square) || node.kind !== "decision") return true;
  return both.every((each) => each === square || each.cells.every((cell) => same(game.view(state(), viewer)[cell], after(option)[cell])));
}

/** Whether an action's squares begin with those that were clicked; each click stands for all steps in a row that fit. */
export function begins(option, squares, whole = false) {
  if (squares.length && handOf(option)?.[0].hand !== squares[0].hand) return false;
  if (squares[0]?.hand !== undefined) return (!whole || squares.length > 1) && begins({ ...option, hand: null, steps: stepsOf(option) }, squares.slice(1), whole);
  const steps = data.boards[0].kind === "lanes" ? inClickedOrder(stepsOf(option), squares) : stepsOf(option);
  let at = 0;
  for (const square of squares) {
    if (at >= steps.length || !matches(steps[at], square) || !isOn(option, square)) return false;
    do at++; while (at < steps.length && matches(steps[at], square) && square.is[steps[at].type] !== undefined && Object.keys(square.is).length > 1);
  }
  return steps.length > 0 && (!whole || at === steps.length);
}

/** Steps of which two are a move of a man, those first that were clicked; none where one was clicked that is not there. */
function inClickedOrder(steps, squares) {
  const left = [...steps];
  const first = [];
  for (let k = 0; k < squares.length; k += 2) {
    const found = left.findIndex((step, n) => n % 2 === 0 && matches(step, squares[k]) && (!squares[k + 1] || matches(left[n + 1], squares[k + 1])));
    if (found < 0) return [];
    first.push(...left.splice(found, 2));
  }
  return [...first, ...left];
}

/** The clicks that stand once a square is clicked too: all before, or as many as go on with it, for a man that is picked
 * may be exchanged for another. Only what goes on with all of them is played at once. */
function pickedWith(square) {
  for (let kept = clicks.length; kept >= 0; kept--) {
    const longer = [...clicks.slice(0, kept), square];
    const fitting = options().filter((option) => begins(option, longer));
    if (fitting.length > 1 || (fitting.length && (kept === clicks.length || !begins(fitting[0], longer, true)))) return longer;
  }
  return null;
}

function click(square) {
  const longer = pickedWith(square);
  const goesOn = longer?.length > clicks.length;
  const whole = goesOn ? options().filter((option) => begins(option, longer)) : [];
  if (whole.length === 1 && begins(whole[0], longer, true)) { go(whole[0].name); return; }
  if (!goesOn && clicks.includes(square)) clicks = clicks.slice(0, clicks.lastIndexOf(square));
  else clicks = longer ?? clicks.slice(0, -1);
  show();
}

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !clicks.length) return;
  forgetClicks();
  show();
});

/** Where the squares that were clicked leave several actions, as a pawn's promotion does: buttons for them at the last
 * square, each with what will stand there if that tells them apart. */
function offerChoices() {
  const whole = clicks.length ? options().filter((option) => begins(option, clicks, true)) : [];
  const last = clicks[clicks.length - 1];
  const board = data.boards.find((each) => each.squares.includes(last));
  if (!whole.length || !board) return;
  const left = whole.map((option) => (node.kind === "decision" && !data.hidden ? standing(board, last, game.view(game.next(state(), option.row), viewer)) : { sign: "" }));
  const apart = new Set(left.map(({ sign }) => sign)).size === left.length && left.every(({ sign }) => sign);
  const buttons = whole.map((option, k) => {
    const made = button(apart ? "" : option.name, () => go(option.name));
    made.setAttribute("aria-label", option.name);
    if (apart) made.append(element("svg", { viewBox: "-0.5 -0.5 1 1", class: "square" }, ...man(left[k].sign, left[k].owner, left[k].name, board)));
    return made;
  });
  const square = byId("boards").querySelector(`[data-at="${data.boards.indexOf(board)} ${board.squares.indexOf(last)}"]`).getBoundingClientRect();
  const box = byId("boards").getBoundingClientRect();
  const choices = make("div", { id: "choices", role: "group", ariaLabel: say("Which one?") }, ...buttons);
  byId("boards").append(choices);
  choices.style.top = `${square.bottom - box.top}px`;
  choices.style.left = `${Math.max(0, Math.min(square.left - box.left, box.width - choices.offsetWidth))}px`;
  buttons[0].focus();
}

// ---- Moves by dragging --------------------------------------------------------------------------------------------------

const DRAGGED = 6; // pixels that a pointer goes before it drags

/** A man is taken up: it follows the pointer, and where it is let go is the second click. */
function lift(event, group, square) {
  const before = (pickedWith(square) ?? []).slice(0, -1);
  const ways = options().filter((option) => begins(option, [...before, square]) && !begins(option, [...before, square], true));
  if (event.button || !ways.length) return;
  const svg = group.ownerSVGElement;
  let ghost = null;
  const move = (/** @type {any} */ { clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - event.clientX, clientY - event.clientY) < DRAGGED) return;
    if (!ghost) {
      const lifted = group.matches(".lanes") ? [element("circle", { r: 0.42, fill: colour(mover()), class: "disc" })] : [...group.children].slice(1).map((each) => each.cloneNode(true));
      ghost = element("g", { class: "ghost" }, ...lifted);
      svg.append(ghost);
      group.classList.add("lifted");
      for (const each of svg.querySelectorAll(".square")) for (const mark of ["open", "target"]) each.classList.toggle(mark, ways.some((option) => begins(option, [...before, square, squareOf.get(each)])));
    }
    const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
  };
  const drop = (/** @type {any} */ { type, clientX, clientY }) => {
    document.removeEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) document.removeEventListener(end, drop);
    if (!ghost) return;
    ghost.remove();
    const target = type === "pointerup" && squareOf.get(document.elementFromPoint(clientX, clientY)?.closest(".square"));
    if (!target || target === square || !ways.some((option) => begins(option, [...before, square, target]))) { show(); return; }
    clicks = before;
    click(square);
    click(target);
  };
  document.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, drop);
}
