// The boards of the page, and moves by clicks on their squares.
import { HIDDEN, same } from "./game.js";
import { advised, at, byId, data, game, go, make, mover, node, options, path, show, state, viewer } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#fdfdf8", "#2b2b2b", "#c0392b", "#2471a3", "#d4ac0d", "#1e8449"];
const NAMED = { white: "#fdfdf8", light: "#fdfdf8", black: "#2b2b2b", dark: "#2b2b2b", red: "#c0392b", blue: "#2471a3", yellow: "#e3c11c", green: "#1e8449" };
const MEN = { king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟\ufe0e" };
export let clicks = []; // squares that were clicked on the way to a move
let turned = false;

export const forgetClicks = () => { clicks = []; };
export const turnBoards = () => (turned = !turned);

// ---- The board ----------------------------------------------------------------------------------------------------------

function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

export function colour(player) {
  return NAMED[game.players[player].toLowerCase()] || COLOURS[player % COLOURS.length];
}

/** The cells of the present position, as far as they may be shown. */
export const shownCells = () => game.view(state(), viewer);

/** What stands on a square: a sign, whose it is, and what it is called. */
function standing(board, square) {
  const values = square.cells.map((at) => shownCells()[at]);
  if (values.includes(HIDDEN)) return { sign: "?", owner: null, name: "hidden" };
  if (square.holds) {
    return square.holds[values.findIndex(Boolean)] || { sign: "", owner: null, name: "" };
  }
  if (board.set) {
    const at = Object.values(square.is)[0];
    const holds = (BigInt(values[0]) >> BigInt(at)) & 1n;
    return { sign: holds ? "x" : "", owner: null, name: "" };
  }
  const said = board.said.find((row) => row.slice(0, -1).every((each, k) => same(each, values[k])));
  const plain = values.map((value, k) => board.variables[k].signs.find(([each]) => same(each, value))?.[1] ?? String(value));
  const empty = !values.some((value) => value) && values.includes(null);
  const at = board.variables.findIndex((each) => each.players);
  const owner = at >= 0 && typeof values[at] === "number" ? values[at] : null;
  const names = values.map((value, k) => (value === null || !board.variables[k].names || k === at ? "" : board.variables[k].names[value]));
  const sign = said ? said[said.length - 1] : empty ? "." : plain.join("");
  return { sign: sign === "." ? "" : sign, owner, name: sign === "." ? "" : names.join("") };
}

/** The men whose places the state says, of those on a square. */
function menOn(board, square) {
  const cells = shownCells();
  const here = board.squares.indexOf(square);
  return (board.men || []).filter((each) => cells[each.cell] === here);
}

export function figure(board) {
  const [width, height] = ["x", "y"].map((axis) => Math.max(...board.squares.map((square) => square[axis])) + 1);
  const room = board.labels.length ? 0.6 : 0.1;
  const svg = element("svg", { viewBox: `${-room - 0.5} -0.6 ${width + room + 0.2} ${height + room + 0.2}`, role: "group", "aria-label": board.title });
  const at = (thing) => (turned ? [width - 1 - thing.x, height - 1 - thing.y] : [thing.x, thing.y]);
  for (const [a, b] of board.edges) {
    const [[x1, y1], [x2, y2]] = [at(board.squares[a]), at(board.squares[b])];
    svg.append(element("line", { x1, y1, x2, y2, class: "joined" }));
  }
  for (const label of board.labels) {
    const [x, y] = label.y > height - 0.5 ? [at(label)[0], label.y] : [label.x, at(label)[1]];
    svg.append(element("text", { x, y, class: "label" }, document.createTextNode(label.text)));
  }
  for (const square of board.squares) svg.append(drawn(board, square, ...at(square)));
  return make("figure", {}, ...(data.boards.length > 1 ? [make("figcaption", { textContent: board.title })] : []), svg);
}

function drawn(board, square, x, y) {
  const { sign, owner, name } = standing(board, square);
  const group = element("g", { class: "square", transform: `translate(${x} ${y})` });
  const mark = (cls, on) => on && group.classList.add(cls);
  mark("dark", square.dark && board.squares.length > 20 && board.variables.length > 1);
  const open = options().some((option) => begins(option, [...clicks, square]));
  mark("open", open);
  mark("chosen", clicks.includes(square));
  mark("last", lastMove().some((step) => matches(step, square) && (step.column === undefined || changed(square))));
  const hinted = advised && options().find((option) => option.name === advised);
  mark("advised", hinted && stepsOf(hinted).some((step) => matches(step, square)));
  group.append(ground(board.kind));
  const men = menOn(board, square);
  const said = man(sign, owner, name, board);
  const aside = men.length && said.length;
  group.append(...(aside ? [element("g", { transform: `translate(-0.32 0.32) scale(${owner === null ? 0.6 : 0.4})` }, ...said)] : said), ...sideBySide(men, aside ? 0.8 : board.kind === "points" ? 0.7 : 1));
  squareOf.set(group, square);
  const told = [square.name, owner === null ? "" : game.players[owner], name || sign, ...men.map((each) => each.name)];
  const title = element("title", {}, document.createTextNode(told.filter(Boolean).join(" ")));
  group.append(title);
  if (open || clicks.includes(square)) {
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", title.textContent || square.name);
    group.addEventListener("click", () => click(square));
    group.addEventListener("pointerdown", (event) => lift(event, group, square));
    group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); click(square); } });
  }
  return group;
}

/** What the last move names of the board, where everything is seen. */
function lastMove() {
  if (data.hidden || !at.parent || at.who === null) return [];
  at.named ??= (game.node(at.parent.state).options || []).filter((option) => option.name === at.name).flatMap(stepsOf);
  return at.named;
}

const changed = (square) => square.cells.some((cell) => !same(game.view(at.state)[cell], game.view(at.parent.state)[cell]));

const squareOf = new WeakMap(); // what a square on the page stands for

function ground(kind) {
  if (kind === "points") return element("circle", { r: 0.3, class: "ground" });
  if (kind === "hexagons") {
    const corners = [0, 1, 2, 3, 4, 5].map((k) => [Math.sin((k * Math.PI) / 3), Math.cos((k * Math.PI) / 3)].map((each) => (each / Math.sqrt(3)).toFixed(3)).join());
    return element("polygon", { points: corners.join(" "), class: "ground" });
  }
  return element("rect", { x: -0.5, y: -0.5, width: 1, height: 1, class: "ground" });
}

function man(sign, owner, name, board) {
  if (!sign) return [];
  const glyph = MEN[name.toLowerCase()];
  if (glyph && owner !== null) {
    const look = { fill: colour(owner), stroke: "#222", "stroke-width": 0.02, "font-size": "0.85px" };
    return [element("text", look, document.createTextNode(glyph))];
  }
  const disc = owner !== null ? [element("circle", { r: board.kind === "points" ? 0.26 : 0.38, fill: colour(owner), class: "disc" })] : [];
  if (owner !== null && board.variables.length === 1) return disc;
  return [...disc, lettered(sign, owner)];
}

function lettered(sign, owner, most = 0.95 / sign.length + 0.1) {
  const pale = owner !== null && ["#2b2b2b", "#c0392b", "#2471a3", "#1e8449"].includes(colour(owner));
  return element("text", { fill: pale ? "#fff" : "#222", "font-size": `${Math.min(0.55, most)}px` }, document.createTextNode(sign));
}

/** Men side by side, the smaller the more there are, and where something is said of their square. */
function sideBySide(men, room) {
  return men.map((each, k) => {
    const disc = each.owner === null ? [] : [element("circle", { r: 0.4, fill: colour(each.owner), class: "disc" })];
    const place = `translate(${(room * ((2 * k + 1) / men.length - 1)) / 2} 0) scale(${room / men.length})`;
    return element("g", { transform: place }, ...disc, lettered(each.sign, each.owner, 0.75 / each.sign.length));
  });
}

// ---- The picture of a tree ----------------------------------------------------------------------------------------------

/** Where the one to move may be, and what was played. */
export function markPicture() {
  const here = viewer === null || viewer === mover() ? game.possible?.(state()) ?? [] : [];
  const line = !data.hidden || node.kind === "end" ? path().map((place) => place.state.at) : [];
  for (const each of byId("picture").querySelectorAll("[data-n]")) {
    const n = Number(each.dataset.n);
    each.classList.toggle("now", each.matches(".node") && here.includes(n));
    each.classList.toggle("played", each.matches(".edge") && line.includes(n));
    each.classList.toggle("open", options().some(({ row }) => here.some((at) => game.nodes[at].to[row] === n)));
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
function squaresInName(name) {
  const found = [];
  let rest = name;
  while (rest) {
    const square = squareNames.find((each) => rest.startsWith(each.name));
    if (!square) return null;
    found.push(square);
    rest = rest.slice(square.name.length).replace(/^[-x>]/, "");
  }
  return found;
}

const squareNames = data.boards.slice(0, 1).flatMap((board) => board.squares).filter((square) => Object.keys(square.is).length === 1).sort((a, b) => b.name.length - a.name.length);

/** What of a board an action names, in its order: a square of a type, or a column. */
function stepsOf(option) {
  if (data.steps) return data.steps[option.name] || [];
  const named = squaresInName(option.name);
  if (named && named.length > option.squares.length) return named.map((square) => { const [[type, value]] = Object.entries(square.is); return { type, value }; });
  if (option.squares.length) return option.squares.map(([type, value]) => ({ type: String(type), value }));
  return option.columns.map((column) => ({ column }));
}

const matches = (step, square) => (step.column !== undefined ? square.column === step.column : square.is[step.type] === step.value);

/** Whether an action's squares begin with those that were clicked; each click stands for all steps in a row that fit. */
export function begins(option, squares, whole = false) {
  const steps = stepsOf(option);
  let at = 0;
  for (const square of squares) {
    if (at >= steps.length || !matches(steps[at], square)) return false;
    do at++; while (at < steps.length && matches(steps[at], square) && square.is[steps[at].type] !== undefined && Object.keys(square.is).length > 1);
  }
  return steps.length > 0 && (!whole || at === steps.length);
}

function click(square) {
  const longer = [...clicks, square];
  const fitting = options().filter((option) => begins(option, longer));
  if (clicks.includes(square) && !fitting.length) clicks = [];
  else if (!fitting.length) clicks = options().some((option) => begins(option, [square])) ? [square] : [];
  else if (fitting.length === 1 && begins(fitting[0], longer, true)) { go(fitting[0].name); return; }
  else clicks = longer;
  show();
  const again = byId("boards").querySelector(".square.chosen");
  if (again) again.focus();
}

// ---- Moves by dragging --------------------------------------------------------------------------------------------------

const DRAGGED = 6; // pixels that a pointer goes before it drags

/** A man is taken up: it follows the pointer, and where it is let go is the second click. */
function lift(event, group, square) {
  const ways = options().filter((option) => begins(option, [square]) && !begins(option, [square], true));
  if (event.button || clicks.length || !ways.length) return;
  const svg = group.ownerSVGElement;
  let ghost = null;
  const move = (/** @type {any} */ { clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - event.clientX, clientY - event.clientY) < DRAGGED) return;
    if (!ghost) {
      ghost = element("g", { class: "ghost" }, ...[...group.children].slice(1).map((each) => each.cloneNode(true)));
      svg.append(ghost);
      group.classList.add("lifted");
      for (const each of svg.querySelectorAll(".square")) each.classList.toggle("open", ways.some((option) => begins(option, [square, squareOf.get(each)])));
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
    if (!target || target === square || !ways.some((option) => begins(option, [square, target]))) { show(); return; }
    click(square);
    click(target);
  };
  document.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, drop);
}
