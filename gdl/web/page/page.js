// The page on which a game is played: whose turn it is, what was done, and the computer in a worker.
import { begins, clicks, figure, forgetClicks, markPicture, shownCells, turnBoards } from "./board.js";
import { Fraction, HIDDEN } from "./game.js";
import { gameOf } from "./graph.js";
import { drawByWeight } from "./hidden.js";
import { evaluate, showLog } from "./study.js";

export const data = JSON.parse(document.getElementById("data").textContent);
export const byId = (id) => document.getElementById(id);

/** An element with some properties, and what stands in it. */
export function make(tag, properties, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

export const button = (textContent, onclick, className = "") => make("button", { type: "button", textContent, onclick, className });

export const game = await gameOf(data.game).catch((error) => { byId("status").textContent = `The game does not start in this browser: ${error}`; throw error; });
const MOST_BUTTONS = 300;

// A position on the page: what led there, and the ways on that were tried; `row` is the number of what was done among so
// many, `found` what the computer thinks of it. The first child is the main line, the others are variations.
const fresh = (state) => ({ parent: null, children: [], state, name: null, who: null, events: [], row: null, comment: "", mark: "", found: null });

export let at = fresh(game.initial());
let seated = game.players.map((_, p) => (p === 0 ? "person" : "computer"));
export let node = game.node(at.state);
let chosen = []; // of a move at once: what each player has chosen so far, unseen by the others
export let viewer = null; // whose side is shown; null: everything
let looked = null; // the person who has lifted the curtain
export let advised = null;
let paused = false; // of two computers
let waits = false; // for a reply: nothing is open meanwhile

// ---- The computer -------------------------------------------------------------------------------------------------------

/** A worker with the rules and the engine, made when it is first asked. Who asks again waits no more for what was asked
 * before, of which they get null. */
export class Helper {
  worker = null;
  answer = null; // to whoever waits

  async ask(asked) {
    this.stop();
    this.worker ??= this.made();
    const found = await new Promise((resolve) => {
      this.answer = resolve;
      this.worker.onmessage = ({ data }) => { this.answer = null; resolve(data); };
      this.worker.postMessage(asked);
    });
    if (!found) return null;
    const numbers = (values) => values.map((value) => (value?.d ? new Fraction(value.n, value.d) : value));
    const values = Object.entries(found.values).map(([name, each]) => [name, numbers(each)]);
    return { ...found, values: Object.fromEntries(values), value: found.value && numbers(found.value) };
  }

  made() {
    const text = `${byId("engine").textContent}
      let mind = null;
      onmessage = async ({ data: { game, searches, ...asked } }) => {
        if (game) mind = gameOf(game).then((made) => Mind.made(made, searches));
        else postMessage(await (await mind).choose(asked));
      };`;
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    worker.postMessage({ game: data.game, searches: data.searches });
    return worker;
  }

  /** End a search that nobody waits for any more. */
  stop() {
    if (!this.answer) return;
    this.worker.terminate();
    this.worker = null;
    this.answer(null);
    this.answer = null;
  }
}

const opponent = new Helper();
export const seconds = () => Number(byId("seconds").value);
export const asking = (place = at) => ({ rows: path(place).map(({ row }) => row), player: data.hidden ? mover() : null, seed: data.hidden ? Math.floor(Math.random() * 2 ** 31) : path(place).length + 1 });

/** The computer's move in the present position, played when it is found. */
async function reply(time = seconds()) {
  const player = mover();
  if (player === null) return null;
  opponent.stop();
  waits = true;
  show();
  tell(`${game.players[player]} is thinking …`);
  const found = await opponent.ask({ ...asking(), seconds: time });
  if (!found) return null; // meanwhile something else was done
  waits = false;
  tell(data.hidden && viewer !== null ? `${game.players[player]} has chosen.` : `${game.players[player]} plays ${found.best} (${found.how}${estimate(found)}).`);
  go(found.best);
  return found.best;
}

/** Nobody waits for the computer any more. */
function halt() {
  waits = false;
  opponent.stop();
}

function estimate(found) {
  const values = found.values[found.best];
  return values ? `: ${game.players.map((name, p) => `${name} ${shown(values[p], found.exact)}`).join(", ")}${found.exact ? "" : ", an estimate"}` : "";
}

/** A number as people read it; an estimate as a decimal. */
export function shown(value, exactly = true) {
  const decimal = typeof value === "object" && !exactly ? Number(value) : value;
  return String(typeof decimal === "number" ? Number(decimal.toFixed(3)) : decimal).replace("-", "−");
}

async function hint() {
  if (mover() === null || isCurtained()) return;
  tell("Looking …");
  const found = await opponent.ask({ ...asking(), seconds: seconds() });
  if (!found) return;
  advised = found.best;
  tell(`${found.best} (${found.how}${estimate(found)})`);
  show();
}

// ---- Going on ---------------------------------------------------------------------------------------------------------

export const state = () => at.state;

/** The positions on the way to one, the first left out. */
export function path(place = at) {
  const found = [];
  for (let here = place; here.parent; here = here.parent) found.unshift(here);
  return found;
}

const names = (place = at) => path(place).map(({ name }) => name);

/** Who is to choose now; of those who move at once, the first who has not chosen yet. Null where nobody is. */
export function mover() {
  if (node.kind === "decision") return node.player;
  if (node.kind !== "everyone") return null;
  const left = node.options.findIndex((own, p) => own.length && chosen[p] === undefined);
  return left < 0 ? null : left;
}

export const options = () => (mover() === null || waits ? [] : node.kind === "everyone" ? node.options[mover()] : node.options);

/** Play an action by its name; false where it is none. */
export function go(name) {
  const option = options().find((each) => each.name === name);
  if (!option) return false;
  halt();
  if (node.kind === "everyone") {
    chosen[mover()] = name;
    forgetClicks();
    advised = null;
    if (mover() === null) push(node.options.map((own, p) => (own.length ? chosen[p] : null)));
  } else push(name);
  drawChance();
  settle();
  return true;
}

/** Go on by a name, or by the names of all who chose at once; false where it is not possible. What was done here before
 * leads where it led. */
function push(name) {
  const before = at.children.find((child) => String(child.name) === String(name));
  if (before) { stand(before); return true; }
  const choice = game.choice(node, name);
  if (choice === null) return false;
  const after = game.next(state(), choice);
  const next = { ...fresh(after), parent: at, name, row: [choice, (node.outcomes ?? node.options).length], who: node.kind === "decision" ? node.player : null, events: after.events };
  at.children.push(next);
  stand(next);
  return true;
}

/** Make it the present position. */
function stand(place) {
  at = place;
  node = game.node(at.state);
  chosen = [];
  forgetClicks();
  advised = null;
}

/** Look at another position of the play; nobody moves on their own there. */
export function visit(place) {
  if (!place || data.hidden) return;
  halt();
  stand(place);
  tell("");
  settle(place.children.length > 0 || place.parent === null);
}

/** Nature's steps are drawn at once. */
function drawChance() {
  while (node.kind === "chance") push(node.outcomes[drawByWeight(node.outcomes.map(({ chance }) => Number(chance)), Math.random)].name);
}

/** Shows the position, and lets the computer move where it is its turn. */
export function settle(still = false) {
  show();
  history.replaceState(null, "", `#${hash()}`);
  if (!still && !paused && mover() !== null && seated[mover()] === "computer") reply();
}

const areComputers = () => seated.every((each) => each === "computer");

/** Whose side the page shows: in a game that hides something the person's, or the one's whose turn it is of several. */
function side() {
  const people = seated.flatMap((each, p) => (each === "person" ? [p] : []));
  if (!data.hidden || !people.length || node.kind === "end") return null;
  if (people.length === 1) return people[0];
  return mover() !== null && people.includes(mover()) ? mover() : people.includes(viewer) ? viewer : people[0];
}

const isCurtained = () => viewer !== null && seated.filter((each) => each === "person").length > 1 && looked !== viewer;

/** Goes back to a person's last decision; what was played stays as a variation, unless something is hidden. */
function takeBack() {
  halt();
  const before = at;
  while (at.parent) {
    const { parent } = at;
    if (data.hidden) parent.children = [];
    stand(parent);
    if (mover() !== null && (seated[mover()] === "person" || !seated.includes("person"))) break;
  }
  tell(at === before ? "Nothing has been played." : "");
  settle(true);
}

/** Begins anew, tries what `steps` say, and goes to where `played` leads. */
function restart(played = [], steps = []) {
  halt();
  const start = fresh(game.initial());
  stand(start);
  looked = null;
  const all = retry(steps);
  stand(start);
  if (!played.every((name) => push(name)) || !all) tell("The link names a move that is not possible, or too many.");
  drawChance();
}

// ---- The link -----------------------------------------------------------------------------------------------------------

const MOST_LINK = 8000; // characters: of what is longer the comments are left out, then the variations
const MOST_COMMENT = 500; // characters
const MOST_READING = 3000; // milliseconds, for the variations of a link

/** Who sits where, the line to the present position, and after a semicolon what else was tried. */
export function hash() {
  const sides = seated.map((each) => each[0]).join("");
  if (data.hidden) return `${sides}/${sealed(names())}`;
  const line = `${sides}/${names().map(encodeURIComponent).join("/")}`;
  const whole = [true, false].map((comments) => tried(comments)).filter(Boolean).map((steps) => `${line};${steps}`);
  return whole.find((text) => text.length <= MOST_LINK) ?? line;
}

/** Everything that was played as steps: a name goes on, `,2` goes two plies back, `=` is a comment. Nothing where the
 * line to the present position says it all. */
function tried(comments) {
  const line = new Set(path());
  const start = path()[0]?.parent ?? at;
  const steps = [];
  let [more, deep] = [false, 0];
  const stack = start.children.map((child) => [child, 1]).reverse();
  while (stack.length) {
    const [place, depth] = stack.pop();
    if (depth <= deep) steps.push(`,${deep - depth + 1}`);
    deep = depth;
    const said = comments ? place.comment.slice(0, MOST_COMMENT).replace(/\p{Surrogate}/gu, "") : "";
    steps.push(encodeURIComponent(place.name), ...(said ? [`=${encodeURIComponent(said)}`] : []));
    more ||= !line.has(place) || said !== "";
    stack.push(...place.children.map((child) => [child, depth + 1]).reverse());
  }
  return more ? steps.join("/") : "";
}

/** Takes such steps again; false where one is not possible, or they are too many. */
function retry(steps) {
  const until = performance.now() + MOST_READING;
  for (const step of steps) {
    if (performance.now() > until) return false;
    if (step[0] === ",") {
      let place = at;
      for (let back = Number(step.slice(1)); back > 0 && place.parent; back--) place = place.parent;
      stand(place);
    } else if (step[0] === "=") at.comment = decodeURIComponent(step.slice(1)).slice(0, MOST_COMMENT);
    else if (!push(decodeURIComponent(step))) return false;
  }
  return true;
}

/** Names as a text that tells nothing at a glance: what is hidden stands in the link, too. */
const sealed = (played) => (played.length ? btoa(unescape(encodeURIComponent(JSON.stringify(played)))).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_") : "");
const unsealed = (text) => JSON.parse(decodeURIComponent(escape(atob(text.replaceAll("-", "+").replaceAll("_", "/")))));

export function fromHash() {
  if (location.hash.length < 2) { restart(data.played); return; }
  const [line, tree] = location.hash.slice(1).split(";");
  const [sides, ...played] = line.split("/");
  if (sides.length === game.players.length && /^[pc]+$/.test(sides)) seated = [...sides].map((each) => (each === "p" ? "person" : "computer"));
  try {
    if (data.hidden) restart(played[0] ? unsealed(played[0]) : data.played);
    else restart(played.filter(Boolean).map(decodeURIComponent), tree ? tree.split("/") : []);
  } catch {
    restart();
  }
}

// ---- Everything else that is shown ----------------------------------------------------------------------------------------

export function tell(text) {
  byId("told").textContent = text;
}

/** What everybody gets in words: of two who oppose each other, who wins. */
function ending(utilities) {
  const [first, second] = utilities.map(Number);
  if (utilities.length !== 2 || first + second) return game.players.map((name, p) => `${name} ${shown(utilities[p])}`).join(", ");
  const winner = Number(second > first);
  return first ? `${game.players[winner]} wins${Math.abs(first) === 1 ? "" : ` ${shown(utilities[winner])}`}` : "a draw";
}

function status() {
  if (node.kind === "end") return `The game is over: ${ending(node.utilities)}`;
  if (mover() === null) return "";
  const where = node.known && (viewer === null || viewer === mover()) ? ` at ${node.known}` : "";
  return `${game.players[mover()]} to ${node.kind === "everyone" || node.known === "" ? "choose, unseen by the others" : "move"}${where}`;
}

export function show() {
  viewer = side();
  const curtained = isCurtained();
  byId("status").textContent = status();
  byId("curtain").hidden = !curtained;
  byId("whose").textContent = curtained ? `It is ${game.players[viewer]}'s turn. Everybody else looks away.` : "";
  byId("boards").replaceChildren(...(curtained ? [] : data.boards.map(figure)));
  markPicture();
  byId("cells").replaceChildren(...(curtained ? [] : data.game.variables.flatMap(told)));
  byId("moves-part").hidden = mover() === null || curtained || (viewer !== null && viewer !== mover());
  byId("hint").disabled = byId("moves-part").hidden || waits;
  byId("share").hidden = byId("back").hidden = data.hidden && curtained;
  if (byId("moves-part").hidden) for (const id of ["moves", "names"]) byId(id).replaceChildren();
  else showMoves();
  byId("back").disabled = !at.parent;
  byId("now").textContent = !areComputers() ? "Computer moves" : paused ? "Go on" : "Pause";
  byId("now").hidden = data.hidden && !areComputers();
  seats();
  showLog(curtained);
  evaluate();
}

function showMoves() {
  const fitting = clicks.length ? options().filter((option) => begins(option, clicks)) : options();
  const values = byId("values").checked ? at.found : null;
  byId("moves").replaceChildren(...fitting.slice(0, MOST_BUTTONS).map((option) => moveButton(option, values)));
  byId("names").replaceChildren(...options().slice(0, MOST_BUTTONS).map((option) => new Option(option.name)));
}

function moveButton({ name }, values) {
  const made = button(name, () => go(name), name === advised ? "best" : "");
  const worth = values?.values[name];
  if (worth) made.append(make("small", { textContent: ` ${shown(worth[mover()], values.exact)}${values.exact ? "" : "?"}` }));
  return made;
}

/** What each action is worth to everyone, as far as that is found in a second. */
async function allValues() {
  if (node.kind !== "decision" || data.hidden) return { values: {}, exact: !data.hidden };
  const known = at.found && Object.keys(at.found.values).length === node.options.length;
  return known ? at.found : new Helper().ask({ ...asking(), seconds: 1, all: true });
}

/** A variable that no board shows, or not all of it, as a line or a small table. */
function told(variable, index) {
  if (data.drawn.includes(index)) return [];
  const plain = game.text(variable.type);
  const text = (value) => (value === HIDDEN ? HIDDEN : plain(value));
  const values = shownCells().slice(variable.place, variable.place + variable.count);
  if (data.placed.includes(index) && values.every((value) => typeof value === "number")) return [];
  const heads = variable.indices.map((number, k) => Array.from({ length: variable.extents[k] }, (_, i) => game.text(number)(i + variable.bases[k])));
  if (data.steps && heads.length) return [make("p", { textContent: `${variable.name}: ${heads[0].filter((_, k) => values[k]).join("; ") || "none"}` })]; // facts that hold
  if (heads.length < 2 || values.length > 200) {
    const parts = values.map((value, k) => (heads.length ? `${heads[0][k] ?? k}: ${text(value)}` : text(value)));
    return [make("p", { textContent: `${variable.name}${heads.length ? ": " : " = "}${parts.slice(0, 60).join(", ")}` })];
  }
  const columns = heads[heads.length - 1];
  const cells = (tag, texts) => texts.map((textContent) => make(tag, { textContent }));
  const lines = [make("tr", {}, ...cells("th", ["", ...columns]))];
  for (let from = 0; from < values.length; from += columns.length) {
    const row = values.slice(from, from + columns.length).map((value) => (value === null ? "" : text(value)));
    lines.push(make("tr", {}, ...cells("th", [heads[0][Math.floor((from / values.length) * heads[0].length)]]), ...cells("td", row)));
  }
  return [make("table", {}, make("caption", { textContent: variable.name }), ...lines)];
}

function seats() {
  const place = byId("seats");
  if (!place.children.length) {
    place.append(...game.players.map((name, p) => {
      const onchange = ({ target }) => { seated[p] = target.value; looked = null; halt(); settle(); };
      return make("label", {}, `${name} `, make("select", { onchange, ariaLabel: `Who plays ${name}` }, new Option("a person", "person"), new Option("the computer", "computer")));
    }));
  }
  place.querySelectorAll("select").forEach((select, p) => { select.value = seated[p]; });
}

byId("new").addEventListener("click", () => { restart(data.played); tell(""); settle(); });
byId("back").addEventListener("click", takeBack);
byId("hint").addEventListener("click", hint);
byId("values").addEventListener("change", show);
byId("now").addEventListener("click", () => {
  if (!areComputers()) { reply(); return; }
  paused = !paused;
  halt();
  tell("");
  settle();
});
byId("turn").addEventListener("click", () => { byId("turn").setAttribute("aria-pressed", String(turnBoards())); show(); });
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
  position: () => (viewer === null ? game.key(state()) : JSON.stringify([state().words[0], ...game.view(state(), viewer).map(String)])),
  moves: () => (data.hidden && viewer !== null ? path().length : names()),
  legal: () => (viewer === null || viewer === mover() ? options().map((option) => option.name) : []),
  play: (name) => go(name),
  values: async () => {
    const found = await allValues();
    return Object.fromEntries(Object.entries(found.values).map(([name, values]) => [name, Object.fromEntries(game.players.map((player, p) => [player, Number(values[p])]))]));
  },
  exact: async () => (await allValues()).exact,
  reply,
  seats: (...who) => { seated = who; looked = null; paused = false; halt(); settle(); },
  player: () => (mover() === null ? null : game.players[mover()]),
  over: () => node.kind === "end",
  utilities: () => (node.kind === "end" ? Object.fromEntries(game.players.map((player, p) => [player, Number(node.utilities[p])])) : null),
  back: takeBack,
  analyse: (asked = {}) => new Helper().ask({ ...asking(), seed: 0, ...asked }),
  marks: () => path().map(({ name, mark, comment }) => ({ name, mark, comment })),
};
