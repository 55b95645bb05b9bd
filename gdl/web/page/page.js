"use strict";
// The page on which a game is played: the board, whose turn it is, what was done, and the computer in a worker.

const data = JSON.parse(document.getElementById("data").textContent);
const rules = new Rules(data.rules);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#fdfdf8", "#2b2b2b", "#c0392b", "#2471a3", "#d4ac0d", "#1e8449"];
const NAMED = { white: "#fdfdf8", light: "#fdfdf8", black: "#2b2b2b", dark: "#2b2b2b", red: "#c0392b", blue: "#2471a3", yellow: "#e3c11c", green: "#1e8449" };
const MEN = { king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟\ufe0e" };
const MOST_BUTTONS = 300;

const play = { names: [], states: [rules.initial()], heard: [], seats: rules.players.map((_, p) => (p === 0 ? "person" : "computer")) };
let node = rules.node(play.states[0]);
let chosen = []; // of a move at once: what each player has chosen so far, unseen by the others
let viewer = null; // whose side is shown; null: everything
let looked = null; // the person who has lifted the curtain
let clicks = []; // squares that were clicked on the way to a move
let turned = false;
let advised = null;
let thinking = 0; // how many replies are waited for: only the last counts
let random = randomNumbers(Date.now());

// ---- The computer -------------------------------------------------------------------------------------------------------

let worker = null;
const waiting = new Map();

function askWorker(seconds, seed) {
  if (worker === null) {
    const text = `${byId("engine").textContent}
      let rules = null;
      onmessage = ({ data: { id, model, names, player, seconds, seed } }) => {
        if (model) rules = new Rules(model);
        if (!names) return;
        const search = player === null ? null : new HiddenSearch(rules, names, player, seed);
        postMessage({ id, found: search ? search.choose(seconds) : new Search(rules, seed).choose(replayed(rules, names), seconds) });
      };`;
    worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    worker.onmessage = ({ data: { id, found } }) => { waiting.get(id)(found); waiting.delete(id); };
    worker.postMessage({ model: data.rules });
  }
  const id = waiting.size ? Math.max(...waiting.keys()) + 1 : 1;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, names: play.names, player: data.hidden ? mover() : null, seconds, seed });
  });
}

const seconds = () => Number(byId("seconds").value);

/** The computer's move in the present position, played when it is found. */
async function reply(time = seconds()) {
  const player = mover();
  if (player === null) return null;
  const turn = ++thinking;
  const length = play.names.length;
  tell(`${rules.players[player]} is thinking …`);
  const found = await askWorker(time, length + 1);
  if (turn !== thinking || play.names.length !== length) return null; // meanwhile something else was played
  tell(data.hidden && viewer !== null ? `${rules.players[player]} has chosen.` : `${rules.players[player]} plays ${found.best} (${found.how}${estimate(found)}).`);
  go(found.best);
  return found.best;
}

function estimate(found) {
  const values = found.values[found.best];
  return values ? `: ${rules.players.map((name, p) => `${name} ${shown(values[p])}`).join(", ")}${found.exact ? "" : ", an estimate"}` : "";
}

const shown = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toFixed(3).replace("-", "−") : String(value).replace("-", "−"));

async function hint() {
  if (mover() === null || isCurtained()) return;
  const turn = ++thinking;
  tell("Looking …");
  const found = await askWorker(seconds(), play.names.length + 1);
  if (turn !== thinking) return;
  advised = found.best;
  tell(`${found.best} (${found.how}${estimate(found)})`);
  show();
}

// ---- Going on ---------------------------------------------------------------------------------------------------------

const state = () => play.states[play.states.length - 1];

/** Who is to choose now; of those who move at once, the first who has not chosen yet. Null where nobody is. */
function mover() {
  if (node.kind === "decision") return node.player;
  if (node.kind !== "everyone") return null;
  const left = node.options.findIndex((own, p) => own.length && chosen[p] === undefined);
  return left < 0 ? null : left;
}

const options = () => (mover() === null ? [] : node.kind === "everyone" ? node.options[mover()] : node.options);

/** Play an action by its name; false where it is none. */
function go(name) {
  const option = options().find((each) => each.name === name);
  if (!option) return false;
  if (node.kind === "everyone") {
    chosen[mover()] = name;
    clicks = [];
    advised = null;
    if (mover() === null) push(node.options.map((own, p) => (own.length ? chosen[p] : null)));
  } else push(name);
  drawChance();
  settle();
  return true;
}

/** Go on by a name, or by the names of all who chose at once; false where it is not possible. */
function push(name) {
  const step = stepBy(rules, state(), node, name);
  if (step === null) return false;
  play.heard.push({ who: node.kind === "decision" ? node.player : null, name, events: step.events });
  play.states.push(step.state);
  play.names.push(name);
  node = rules.node(state());
  chosen = [];
  clicks = [];
  advised = null;
  return true;
}

/** Nature's steps are drawn at once. */
function drawChance() {
  while (node.kind === "chance") {
    let left = random();
    push((node.outcomes.find((outcome) => (left -= Number(outcome.chance)) <= 0) || node.outcomes[node.outcomes.length - 1]).name);
  }
}

/** Shows the position, and lets the computer move where it is its turn. */
function settle() {
  show();
  location.replace(`#${hash()}`);
  if (mover() !== null && play.seats[mover()] === "computer") reply();
}

/** Whose side the page shows: in a game that hides something the person's, or the one's whose turn it is of several. */
function side() {
  const people = play.seats.flatMap((each, p) => (each === "person" ? [p] : []));
  if (!data.hidden || !people.length || node.kind === "end") return null;
  if (people.length === 1) return people[0];
  return mover() !== null && people.includes(mover()) ? mover() : people.includes(viewer) ? viewer : people[0];
}

const isCurtained = () => viewer !== null && play.seats.filter((each) => each === "person").length > 1 && looked !== viewer;


/** Takes back what was played since a person's last decision. */
function takeBack() {
  thinking++;
  const steps = play.states.length;
  do {
    if (play.names.length === 0) break;
    play.states.pop();
    play.names.pop();
    play.heard.pop();
    chosen = [];
    node = rules.node(state());
  } while (mover() === null || (play.seats[mover()] === "computer" && play.seats.includes("person")));
  clicks = [];
  advised = null;
  if (play.states.length === steps) tell("Nothing has been played.");
  else tell("");
  settle();
}

function restart(names = []) {
  thinking++;
  Object.assign(play, { names: [], heard: [], states: [rules.initial()] });
  node = rules.node(state());
  [chosen, clicks, looked] = [[], [], null];
  for (const name of names) {
    if (!push(name)) { tell("The link names a move that is not possible."); break; }
  }
  drawChance();
}

// ---- The link -----------------------------------------------------------------------------------------------------------

function hash() {
  const sides = play.seats.map((each) => each[0]).join("");
  return `${sides}/${data.hidden ? sealed(play.names) : play.names.map(encodeURIComponent).join("/")}`;
}

/** Names as a text that tells nothing at a glance: what is hidden stands in the link, too. */
const sealed = (names) => (names.length ? btoa(unescape(encodeURIComponent(JSON.stringify(names)))).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_") : "");
const unsealed = (text) => JSON.parse(decodeURIComponent(escape(atob(text.replaceAll("-", "+").replaceAll("_", "/")))));


function fromHash() {
  if (location.hash.length < 2) { restart(data.played); return; }
  const [sides, ...names] = location.hash.slice(1).split("/");
  if (sides.length === rules.players.length && /^[pc]+$/.test(sides)) play.seats = [...sides].map((each) => (each === "p" ? "person" : "computer"));
  try {
    restart(data.hidden ? (names[0] ? unsealed(names[0]) : data.played) : names.filter(Boolean).map(decodeURIComponent));
  } catch {
    restart();
  }
}

// ---- The board ----------------------------------------------------------------------------------------------------------

function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function colour(player) {
  return NAMED[rules.players[player].toLowerCase()] || COLOURS[player % COLOURS.length];
}

/** The cells of the present position, as far as they may be shown. */
const shownCells = () => (viewer === null ? state().cells : rules.view(state(), viewer));

/** What stands on a square: a sign, whose it is, and what it is called. */
function standing(board, square) {
  const values = square.cells.map((at) => shownCells()[at]);
  if (values.includes(HIDDEN)) return { sign: "?", owner: null, name: "hidden" };
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

function figure(board) {
  const made = document.createElement("figure");
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
  if (data.boards.length > 1) {
    const caption = document.createElement("figcaption");
    caption.textContent = board.title;
    made.append(caption);
  }
  made.append(svg);
  return made;
}

function drawn(board, square, x, y) {
  const { sign, owner, name } = standing(board, square);
  const group = element("g", { class: "square", transform: `translate(${x} ${y})` });
  const mark = (cls, on) => on && group.classList.add(cls);
  mark("dark", square.dark && board.squares.length > 20 && board.variables.length > 1);
  const open = options().some((option) => begins(option, [...clicks, square]));
  mark("open", open);
  mark("chosen", clicks.includes(square));
  const hinted = advised && options().find((option) => option.name === advised);
  mark("advised", hinted && stepsOf(hinted).some((step) => matches(step, square)));
  group.append(ground(board.kind));
  group.append(...man(sign, owner, name, board));
  const title = element("title", {}, document.createTextNode([square.name, owner === null ? "" : rules.players[owner], name || sign].filter(Boolean).join(" ")));
  group.append(title);
  if (open || clicks.includes(square)) {
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", title.textContent || square.name);
    group.addEventListener("click", () => click(square));
    group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); click(square); } });
  }
  return group;
}

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
  const pale = owner !== null && ["#2b2b2b", "#c0392b", "#2471a3", "#1e8449"].includes(colour(owner));
  const size = Math.min(0.55, 0.95 / sign.length + 0.1);
  return [...disc, element("text", { fill: pale ? "#fff" : "#222", "font-size": `${size}px` }, document.createTextNode(sign))];
}

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
  const named = squaresInName(option.name);
  if (named && named.length > option.squares.length) return named.map((square) => { const [[type, value]] = Object.entries(square.is); return { type, value }; });
  if (option.squares.length) return option.squares.map(([type, value]) => ({ type: String(type), value }));
  return option.columns.map((column) => ({ column }));
}

const matches = (step, square) => (step.column !== undefined ? square.column === step.column : square.is[step.type] === step.value);

/** Whether an action's squares begin with those that were clicked; each click stands for all steps in a row that fit. */
function begins(option, squares, whole = false) {
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

// ---- Everything else that is shown ----------------------------------------------------------------------------------------

function tell(text) {
  byId("told").textContent = text;
}

function status() {
  if (node.kind === "end") return `The game is over: ${rules.players.map((name, p) => `${name} ${shown(node.utilities[p])}`).join(", ")}`;
  if (mover() === null) return "";
  return `${rules.players[mover()]} to ${node.kind === "everyone" ? "choose, unseen by the others" : "move"}`;
}

function show() {
  viewer = side();
  const curtained = isCurtained();
  byId("status").textContent = status();
  byId("curtain").hidden = !curtained;
  byId("whose").textContent = curtained ? `It is ${rules.players[viewer]}'s turn. Everybody else looks away.` : "";
  byId("boards").replaceChildren(...(curtained ? [] : data.boards.map(figure)));
  byId("cells").replaceChildren(...(curtained ? [] : data.rules.variables.flatMap(told)));
  byId("moves-part").hidden = mover() === null || curtained || (viewer !== null && viewer !== mover());
  byId("hint").disabled = byId("moves-part").hidden;
  byId("share").hidden = byId("back").hidden = data.hidden && curtained;
  if (byId("moves-part").hidden) for (const id of ["moves", "names"]) byId(id).replaceChildren();
  else showMoves();
  byId("log").replaceChildren(...(curtained ? [] : play.heard.flatMap(line)));
  byId("log").lastElementChild?.scrollIntoView({ block: "nearest" });
  byId("back").disabled = play.names.length === 0;
  seats();
}

/** What of a ply the viewer knows: what they did, what they were told, or that somebody acted. */
function line({ who, name, events }) {
  const made = document.createElement("li");
  const all = viewer === null || who === viewer;
  const told = Array.isArray(name) ? name.flatMap((each, p) => (each !== null && (viewer === null || p === viewer) ? [`${rules.players[p]}: ${each}`] : [])) : all ? [name] : [];
  const heard = viewer === null ? [] : events.filter(([hearer]) => hearer === null || hearer === viewer).map(([, text]) => `“${text}”`);
  const acted = who === null ? "chance" : `${rules.players[who]} acts`;
  made.textContent = [...told, ...heard].join(" ") || acted;
  return [made];
}

function showMoves() {
  const fitting = clicks.length ? options().filter((option) => begins(option, clicks)) : options();
  const values = byId("values").checked ? allValues() : null;
  byId("moves").replaceChildren(...fitting.slice(0, MOST_BUTTONS).map((option) => moveButton(option, values)));
  byId("names").replaceChildren(...options().slice(0, MOST_BUTTONS).map((option) => new Option(option.name)));
}

function moveButton(option, values) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = option.name;
  if (option.name === advised) button.classList.add("best");
  const worth = values && values.values[option.name];
  if (worth) {
    const small = document.createElement("small");
    small.textContent = ` ${shown(worth[mover()])}${values.exact ? "" : "?"}`;
    button.append(small);
  }
  button.addEventListener("click", () => go(option.name));
  return button;
}

/** What each action is worth to everyone: exactly where play from here is small, else by the file's estimate. */
function allValues() {
  if (node.kind !== "decision" || data.hidden) return { values: {}, exact: !data.hidden };
  const found = new Search(rules).exactly(state(), node, Date.now() + 3000);
  if (found) return found;
  const values = {};
  for (const option of options()) {
    const after = rules.next(state(), option);
    const below = rules.node(after);
    const estimate = below.kind === "end" ? below.utilities : rules.evaluate(after);
    if (estimate) values[option.name] = estimate;
  }
  return { values, exact: false };
}

/** A variable that no board shows, as a line or a small table. */
function told(variable, index) {
  if (data.drawn.includes(index)) return [];
  const plain = rules.text(variable.type);
  const text = (value) => (value === HIDDEN ? HIDDEN : plain(value));
  const values = shownCells().slice(variable.place, variable.place + variable.initial.length);
  const heads = variable.indices.map((number, k) => Array.from({ length: variable.extents[k] }, (_, i) => rules.text(number)(i + variable.bases[k])));
  if (heads.length < 2 || values.length > 200) {
    const line = document.createElement("p");
    const parts = values.map((value, k) => (heads.length ? `${heads[0][k] ?? k}: ${text(value)}` : text(value)));
    line.textContent = `${variable.name}${heads.length ? ": " : " = "}${parts.slice(0, 60).join(", ")}`;
    return [line];
  }
  const columns = heads[heads.length - 1];
  const table = document.createElement("table");
  table.createCaption().textContent = variable.name;
  const head = table.insertRow();
  for (const name of ["", ...columns]) head.append(Object.assign(document.createElement("th"), { textContent: name }));
  for (let row = 0; row * columns.length < values.length; row++) {
    const line = table.insertRow();
    line.append(Object.assign(document.createElement("th"), { textContent: heads[0][Math.floor((row * columns.length) / (values.length / heads[0].length))] }));
    for (const value of values.slice(row * columns.length, (row + 1) * columns.length)) line.insertCell().textContent = value === null ? "" : text(value);
  }
  return [table];
}

function seats() {
  const place = byId("seats");
  if (place.children.length) {
    [...place.querySelectorAll("select")].forEach((select, p) => { select.value = play.seats[p]; });
    return;
  }
  rules.players.forEach((name, p) => {
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.add(new Option("a person", "person"));
    select.add(new Option("the computer", "computer"));
    select.value = play.seats[p];
    select.setAttribute("aria-label", `Who plays ${name}`);
    select.addEventListener("change", () => { play.seats[p] = select.value; looked = null; thinking++; settle(); });
    label.append(`${name} `, select);
    place.append(label);
  });
}

byId("new").addEventListener("click", () => { restart(data.played); tell(""); settle(); });
byId("back").addEventListener("click", takeBack);
byId("hint").addEventListener("click", hint);
byId("values").addEventListener("change", show);
byId("turn").addEventListener("click", () => { turned = !turned; byId("turn").setAttribute("aria-pressed", String(turned)); show(); });
byId("look").addEventListener("click", () => { looked = viewer; show(); });
byId("share").addEventListener("click", () => {
  navigator.clipboard?.writeText(location.href).then(() => tell("The link is copied: it opens this position."), () => tell(location.href));
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const written = byId("move").value.trim();
  const fitting = options().filter((option) => option.name === written || option.name.toLowerCase() === written.toLowerCase());
  if (fitting.length === 1) { byId("move").value = ""; go(fitting[0].name); }
  else tell(written ? `“${written}” is not possible here.` : "");
});
window.addEventListener("hashchange", () => { if (location.hash.slice(1) !== hash()) { fromHash(); settle(); } });

/** For programs and tests: the same as the buttons. */
window.gdl = {
  position: () => (viewer === null ? rules.key(state()) : JSON.stringify([state().turn, ...rules.view(state(), viewer).slice(3).map(String)])),
  moves: () => (data.hidden && viewer !== null ? play.heard.length : [...play.names]),
  legal: () => (viewer === null || viewer === mover() ? options().map((option) => option.name) : []),
  play: (name) => go(name),
  values: () => {
    const found = allValues();
    return Object.fromEntries(Object.entries(found.values).map(([name, values]) => [name, Object.fromEntries(rules.players.map((player, p) => [player, Number(values[p])]))]));
  },
  exact: () => allValues().exact,
  reply,
  seats: (...who) => { play.seats = who; looked = null; thinking++; settle(); },
  player: () => (mover() === null ? null : rules.players[mover()]),
  over: () => node.kind === "end",
  utilities: () => (node.kind === "end" ? Object.fromEntries(rules.players.map((player, p) => [player, Number(node.utilities[p])])) : null),
  back: takeBack,
};

fromHash();
settle();
