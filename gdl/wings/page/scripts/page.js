// The page on which a game is played: whose turn it is, what was done, and the computer in a worker.
import { begins, clicks, drawBoards, forgetClicks, isClickable, markPicture, shownCells, turnBoards } from "./board.js";
import { Fraction } from "./game.js";
import { gameOf } from "./graph.js";
import { drawByWeight } from "./hidden.js";
import { Judge } from "./judge.js";
import { isShortFor, readPlay } from "./opening.js";
import { evaluate, showLog } from "./study.js";
import { isByDice, isShown, isTable, MOST_ROWS, namesAlong, showStrips, tables, things, valuesOf, valueText } from "./things.js";

export const data = JSON.parse(document.getElementById("data").textContent);

/** A phrase in the language of the page, with its parts. */
export const say = (text, ...parts) => (data.words[text] ?? text).replace(/\{(\d)\}/g, (_, k) => parts[k]);

export const button = (textContent, onclick, className = "") => make("button", { type: "button", textContent, onclick, className });

export const game = await gameOf(data.game).catch((error) => { byId("status").textContent = say("The game does not start in this browser: {0}", error); throw error; });
const [MOST_BUTTONS, READABLE] = [300, 0.8]; // and the least scale of the picture of a tree

// A position on the page: what led there, and the ways on that were tried; `row` is the number of what was done among so
// many, `found` what the computer thinks of it. The first child is the main line, the others are variations; all are where
// it is `anew`, a position from which a new game has not gone on.
const fresh = (state) => ({ parent: null, children: [], anew: false, state, name: null, who: null, events: [], row: null, comment: "", mark: "", found: null });

export let at = fresh(game.initial());
let seated = game.players.map((_, p) => (p === 0 ? "person" : "computer"));
export let node = game.node(at.state);
let chosen = []; // of a move at once: what each player has chosen so far, unseen by the others
export let viewer = null; // whose side is shown; null: everything
let looked = null; // the person who has lifted the curtain
export let advised = null;
let paused = false; // of two computers
let waits = false; // for a reply: nothing is open meanwhile
let looks = false; // at an earlier position: nobody moves for the computer there
let listed = MOST_BUTTONS; // how many actions have buttons

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
export const judge = new Judge(data);
const GIVEN = [1, 0.4, 0.2, 0.08, 0]; // of the chance to win: what a move of the computer's may cost at each level
const given = () => GIVEN[Number(byId("level").value) - 1];

/** The move that the computer makes at its level, of those whose worth it has found; in games with hidden parts, where it
 * does not compare all, now and then one at random. */
function atLevel(found) {
  const [player, random] = [mover(), Math.random() < given()];
  const cost = ({ name }) => (found.values[name] ? judge.chances({ ...found, value: found.values[found.best] ?? found.value }, player) - judge.chances({ ...found, value: found.values[name] }, player) : Infinity) / 2;
  const some = options().filter(data.hidden ? () => random : (option) => cost(option) <= given());
  return given() && some.length ? some[Math.floor(Math.random() * some.length)].name : found.best;
}

export const seconds = () => Number(byId("seconds").value);
export const asking = (place = at) => ({ rows: path(place).map(({ row }) => row), player: data.hidden ? mover() : null, seed: data.hidden ? Math.floor(Math.random() * 2 ** 31) : path(place).length + 1 });

/** The computer's move in the present position, played when it is found. */
async function reply(time = seconds()) {
  const player = mover();
  if (player === null) return null;
  opponent.stop();
  looks = false;
  waits = true;
  show();
  tell("");
  const thought = await opponent.ask({ ...asking(), seconds: time, all: given() > 0 && !data.hidden });
  if (!thought) return null; // meanwhile something else was done
  waits = false;
  const best = atLevel(thought);
  const found = best === thought.best ? thought : { ...thought, best, line: [best] };
  tell(data.hidden && viewer !== null ? say("{0} has chosen.", game.players[player]) : `${sentence(player, found.best) || say("{0} plays {1}", game.players[player], found.best)}${movesToEnd(at, [found.best], 0) === null ? verdict(found) : ""}.`, found.how);
  go(found.best);
  return found.best;
}

/** Nobody waits for the computer any more. */
function halt() {
  waits = false;
  opponent.stop();
}

/** What a player did, in the words of the remark behind the action, else by its name. */
export function sentence(player, name) {
  for (const [pattern, parts] of data.sentences ?? []) {
    const found = new RegExp(pattern).exec(name);
    const words = found && parts.map((part) => (typeof part === "string" ? part : part ? found[part] : game.players[player])).join("");
    if (found) return parts.includes(0) ? words : `${game.players[player]}: ${words}`;
  }
  return "";
}

/** What the best move is worth, in words: a proven win with the winner's moves to it, where the line shows them. */
export function verdict({ best, values, value, exact, line = [best] }, place = at) {
  const worth = values?.[best] ?? value;
  if (!worth) return "";
  const winner = winnerOf(worth);
  if (movesToEnd(place, [best], 0) === null && (!exact || data.scale.chance)) {
    const ahead = worth.map((each, p) => (winner === null || winner === p ? `${game.players[p]} ${winner === p ? "+" : ""}${shown(each, exact)}` : "")).filter(Boolean).join(", ");
    return `: ${exact ? ahead : say("{0}, an estimate", [ahead, ...(data.unit?.slice(0, 1) ?? [])].join(" "))}`;
  }
  if (winner === null) return `: ${ending(worth)}`;
  const moves = movesToEnd(place, line, winner);
  return `: ${say(moves ? "{0} wins in {1}" : "{0} wins", game.players[winner], moves)}`;
}

/** Who wins of two who oppose each other; null where nobody does, or others play. */
function winnerOf(utilities) {
  const [first, second] = utilities.map(Number);
  return utilities.length !== 2 || first + second || !first ? null : Number(second > first);
}

/** How many moves of a player's lead along a line to the end of play; null where it stops before. */
function movesToEnd(place, line, player) {
  let [state, count] = [place.state, 0];
  for (const name of line) {
    const here = game.node(state);
    const choice = here.kind === "decision" ? game.choice(here, name) : null;
    if (choice === null) return null;
    count += Number(here.player === player);
    state = game.next(state, choice);
  }
  return game.node(state).kind === "end" ? count : null;
}

/** A number as people read it; an estimate as a decimal of few places, in the unit that the file names. */
export function shown(value, exactly = true) {
  const decimal = Number(value) / (data.unit?.[1] ?? 1);
  return String(exactly ? value : Number(decimal.toFixed(Math.abs(decimal) < 10 ? 2 : 0))).replace("-", "−");
}

async function hint() {
  if (mover() === null || isCurtained()) return;
  tell(say("Looking …"));
  const [player, place] = [mover(), at];
  const found = await opponent.ask({ ...asking(), seconds: seconds() });
  if (!found || at !== place || mover() !== player) return;
  advised = found.best;
  tell(`${found.best}${verdict(found)}`, found.how);
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

export const options = () => (mover() === null || waits || (looks && isSeated("computer")) ? [] : node.kind === "everyone" ? node.options[mover()] : node.options);

/** Play an action by its name; false where it is none. */
export function go(name) {
  const option = options().find((each) => each.name === name);
  if (!option) return false;
  halt();
  notify("");
  looks = false;
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
  if (before) { follow(before); return true; }
  const choice = game.choice(node, name);
  if (choice === null) return false;
  const after = game.next(state(), choice);
  const next = { ...fresh(after), parent: at, name, row: [choice, (node.outcomes ?? node.options).length], who: node.kind === "decision" ? node.player : null, events: after.events };
  at.children.push(next);
  follow(next);
  return true;
}

/** Go on to a position that follows: the main line, if a new game goes on here. */
function follow(next) {
  if (at.anew) {
    at.children = [next, ...at.children.filter((each) => each !== next)];
    next.anew = next.children.length > 0;
    at.anew = false;
  }
  stand(next);
}

/** Make it the present position. */
function stand(place) {
  at = place;
  node = game.node(at.state);
  chosen = [];
  forgetClicks();
  advised = null;
  listed = MOST_BUTTONS;
}

/** Look at another position of the play; nobody moves on their own there. */
export function visit(place) {
  if (!place || data.hidden) return;
  halt();
  stand(place);
  while (node.kind === "chance" && at.children.length) stand(at.children[0]);
  drawChance();
  looks = following(at) !== null;
  tell("");
  settle();
}

/** The position that follows one on the main line; null where none does. */
export const following = (place) => (place.anew ? null : place.children[0] ?? null);

/** The positions of the line on which the present one lies, on to its end. */
export function wholeLine() {
  const found = path();
  for (let here = following(at); here; here = following(here)) found.push(here);
  return found;
}

/** The next position before the present one in which somebody chooses, or the first such; null where none is. */
export function earlier(first = false) {
  const places = at.parent ? [path()[0].parent, ...path().slice(0, -1)].filter(({ state }) => game.node(state).kind !== "chance") : [];
  return (first ? places[0] : places.at(-1)) ?? null;
}

/** Nature's steps are drawn at once. */
function drawChance() {
  while (node.kind === "chance") push(node.outcomes[drawByWeight(node.outcomes.map(({ chance }) => Number(chance)), Math.random)].name);
}

/** Shows the position, and lets the computer move where it is its turn. */
export function settle() {
  show();
  history.replaceState(null, "", `#${hash()}`);
  if (!looks && !paused && isSeated("computer")) reply();
}

/** Whether a person, or the computer, plays for the one to move. */
const isSeated = (who) => mover() !== null && seated[mover()] === who;

const areComputers = () => seated.every((each) => each === "computer");

/** Whose side the page shows: in a game that hides something the person's, or the one's whose turn it is of several. */
function side() {
  const people = seated.flatMap((each, p) => (each === "person" ? [p] : []));
  if (!data.hidden || !people.length || node.kind === "end") return null;
  if (people.length === 1) return people[0];
  return mover() !== null && people.includes(mover()) ? mover() : people.includes(viewer) ? viewer : people[0];
}

const isCurtained = () => viewer !== null && seated.filter((each) => each === "person").length > 1 && looked !== viewer;

/** The last position but this one in which a person chose, or anybody where none plays; null where there is none. */
function takenBackTo() {
  const own = (player) => seated[player] === "person" || areComputers();
  const chooses = (here) => (here.kind === "everyone" ? here.options.some((each, p) => each.length && own(p)) : here.kind === "decision" && own(here.player));
  if (chosen.some((each, p) => each !== undefined && own(p))) return at;
  for (let place = at.parent; place; place = place.parent) if (chooses(game.node(place.state))) return place;
  return null;
}

/** Goes back to a person's last decision; what was played stays as a variation, unless something is hidden. */
function takeBack() {
  const place = takenBackTo();
  if (!place) { tell(say("There is nothing to take back.")); return; }
  halt();
  stand(place);
  if (data.hidden) place.children = [];
  looks = areComputers();
  tell("");
  settle();
}

/** Begins anew; the play so far stays as a variation. */
function newGame() {
  const start = path()[0]?.parent ?? at;
  const isPlayed = path().some(({ parent }) => game.node(parent.state).kind !== "chance");
  if (isPlayed) history.pushState(null, "", location.href);
  tell(isPlayed ? say(data.hidden ? "The browser's way back leads to the old play." : "The old play is kept as a variation.") : "");
  notify("");
  if (data.hidden) start.children = [];
  start.anew = start.children.length > 0;
  begin(start, data.played);
  settle();
}

/** Goes from the start to where `played` leads; false where it is not possible. */
function begin(start, played) {
  halt();
  looked = null;
  stand(start);
  const all = played.every((name) => push(name));
  looks = following(at) !== null;
  drawChance();
  return all;
}

/** Forgets the play, tries what `steps` say, and goes to where `played` leads. */
function restart(played = [], steps = []) {
  halt();
  const start = fresh(game.initial());
  stand(start);
  const all = retry(steps);
  if (!begin(start, played) || !all) notify(say("The link names a move that is not possible, or too many."));
}

// ---- The link -----------------------------------------------------------------------------------------------------------

const MOST_LINK = 8000; // characters: of what is longer the comments are left out, then the variations
const MOST_COMMENT = 500; // characters
const MOST_FILE = 1 << 20; // characters of a play that is opened
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
    notify(say("The link cannot be read: this is a new game."));
  }
}

// ---- Everything else that is shown ----------------------------------------------------------------------------------------

export function tell(text, how = "") {
  byId("told").textContent = text;
  byId("how").textContent = how && say("The last move was found by {0}.", how);
}

/** What is wrong, which stays until somebody moves. */
function notify(text) {
  byId("notice").textContent = text;
}

/** What everybody gets in words: of two who oppose each other, who wins. */
function ending(utilities) {
  const winner = winnerOf(utilities);
  if (winner !== null) return say(Math.abs(Number(utilities[0])) === 1 ? "{0} wins" : "{0} wins {1}", game.players[winner], shown(utilities[winner]));
  const level = utilities.length === 2 && !utilities.some(Number);
  return level ? say("a draw") : game.players.map((name, p) => `${name} ${shown(utilities[p])}`).join(", ");
}

function status() {
  if (node.kind === "end") return say("The game is over: {0}", ending(node.utilities));
  if (mover() === null) return "";
  if (node.kind === "everyone" || node.known === "") return say("{0} to choose, unseen by the others", game.players[mover()]);
  return say(node.known && (viewer === null || viewer === mover()) ? "{0} to move at {1}" : "{0} to move", game.players[mover()], node.known);
}

/** The cells that hold what won: men of the winner's without which play would not be over; none where that is half of
 * them or more, as where the board is full. */
export const winners = () => (node.kind !== "end" || data.hidden ? new Set() : (at.winners ??= decisive()));

function decisive() {
  const winner = winnerOf(node.utilities);
  if (winner === null) return new Set();
  const own = data.boards.flatMap((board) => {
    const k = board.variables.findIndex((each) => each.players);
    return k < 0 ? [] : board.squares.map(({ cells }) => cells[k]).filter((cell) => shownCells()[cell] === winner);
  });
  const needed = own.filter((cell) => !game.withCell(at.state, cell));
  return new Set(2 * needed.length <= own.length || needed.length < 8 ? needed : []);
}

export function show() {
  viewer = side();
  const curtained = isCurtained();
  byId("status").textContent = status();
  byId("why").textContent = node.kind === "end" ? node.why ?? "" : "";
  byId("curtain").hidden = !curtained;
  byId("whose").textContent = curtained ? say("It is {0}'s turn. Everybody else looks away.", game.players[viewer]) : "";
  drawBoards(curtained ? [] : data.boards);
  markPicture();
  showStrips(seat, waits ? mover() : null, curtained);
  byId("above").parentElement.querySelectorAll("select").forEach((select) => { select.value = seated[Number(select.dataset.player)]; });
  byId("things").replaceChildren(...(curtained ? [] : things()));
  byId("cells").replaceChildren(...data.game.variables.filter(({ look }) => ["words", "hidden"].includes(look) && !curtained).flatMap(inWords));
  byId("position").hidden = !byId("cells").childElementCount;
  byId("moves-part").hidden = mover() === null || curtained || (viewer !== null && viewer !== mover());
  byId("hint").disabled = byId("moves-part").hidden || waits;
  byId("share").hidden = byId("back").hidden = data.hidden && curtained;
  if (byId("moves-part").hidden) for (const id of ["moves", "names"]) byId(id).replaceChildren();
  else showMoves();
  byId("back").classList.toggle("idle", !takenBackTo());
  byId("past").hidden = !looks;
  const [done, all] = [path(), wholeLine()].map((places) => places.filter(({ who }) => who !== null).length);
  byId("past").firstChild.textContent = say("You look at move {0} of {1}.", done, all);
  byId("now").textContent = say(!areComputers() ? "Computer moves" : paused ? "Go on" : "Pause");
  byId("now").hidden = data.hidden && !areComputers();
  byId("means").textContent = say(given() ? data.hidden ? "Level {0}: {1} of 100 moves are made at random." : "Level {0}: at random, a move that costs at most {1} % of the chance to win." : "Level {0}: the best move that it finds.", byId("level").value, Math.round(100 * given()));
  showLog(curtained);
  evaluate();
}

/** The buttons for what no click on a board does; for everything where that is asked for, or squares were clicked. */
function showMoves() {
  const fitting = clicks.length ? options().filter((option) => begins(option, clicks)) : options();
  const values = byId("values").checked ? at.found : null;
  const all = clicks.length || byId("values").checked || byId("every").checked;
  const clickable = new Set([...byId("table").querySelectorAll("button[title]")].map((each) => each.title)); // cards and heaps
  const named = all ? fitting : fitting.filter((option) => !isClickable(option) && !isByDice(option) && !clickable.has(option.name));
  const more = button(say("{0} more", named.length - listed), () => { listed += MOST_BUTTONS; show(); });
  byId("moves").replaceChildren(...named.slice(0, listed).map((option) => moveButton(option, values)), ...(named.length > listed ? [more] : []));
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

/** A variable that neither boards nor things show, or not all of it, as lines or tables. */
function inWords(variable) {
  if (variable.look === "hidden") return [make("details", {}, make("summary", { textContent: variable.name }), ...inWords({ ...variable, look: "folded" }))];
  const values = valuesOf(variable);
  if (isShown(variable) || (variable.placed && values.every((value) => typeof value === "number"))) return [];
  if (isTable(variable)) return tables(variable);
  const text = valueText(variable.type);
  const heads = variable.indices.map((_, k) => namesAlong(variable, k));
  const wide = variable.most || (heads.at(-1)?.length ?? 1);
  const rows = Array.from({ length: Math.min(MOST_ROWS, values.length / wide) }, (_, k) => values.slice(k * wide, (k + 1) * wide));
  return rows.map((row, k) => {
    const head = heads.length > 1 ? ` ${heads[0][Math.floor((k * wide * heads[0].length) / values.length)]}` : "";
    const listed = variable.most ? `[${row.filter((value) => value !== null).map(text).join(", ")}]` : row.slice(0, MOST_ROWS).map((value, at) => `${heads.length ? `${heads.at(-1)[at] ?? at}: ` : ""}${text(value)}`).join(", ");
    return make("p", { textContent: `${variable.name}${head}${heads.length && !variable.most ? ": " : " = "}${listed}` });
  });
}

/** The choice of who plays for a player. */
function seat(player) {
  const onchange = ({ target }) => { seated[player] = target.value; looked = null; halt(); settle(); };
  const made = make("select", { onchange, ariaLabel: say("Who plays {0}", game.players[player]) }, new Option(say("a person"), "person"), new Option(say("the computer"), "computer"));
  made.dataset.player = String(player);
  return made;
}

byId("new").addEventListener("click", newGame);
byId("continue").addEventListener("click", () => { looks = false; settle(); });
byId("back").addEventListener("click", takeBack);
byId("hint").addEventListener("click", hint);
for (const id of ["values", "every", "level"]) byId(id).addEventListener("change", show);
byId("now").addEventListener("click", () => {
  if (!areComputers()) { reply(); return; }
  paused = !paused;
  halt();
  tell("");
  settle();
});
byId("turn").addEventListener("click", () => { byId("turn").setAttribute("aria-pressed", String(turnBoards())); show(); });
byId("look").addEventListener("click", () => { looked = viewer; show(); });
byId("share").addEventListener("click", () => { // a page that is served over plain http has no clipboard
  tell(location.href);
  getSelection().selectAllChildren(byId("told"));
  if (document.execCommand("copy")) tell(say("The link is copied: it opens this position."));
});
const open = async (file) => {
  const steps = file && readPlay((await file.text()).slice(0, MOST_FILE));
  if (!steps) { if (file) notify(say("No play of this game is in the file: it reads records, PGN and SGF.")); return; }
  restart(steps);
  notify(steps.fault ? say("Move {0} of the file, {1}, is not possible: the play is shown up to there.", steps.length + 1, steps.fault) : "");
  looks = mover() !== null;
  settle();
};
const tree = /** @type {any} */ (byId("picture").querySelector("svg"));
if (tree) tree.style.minWidth = `${Number(tree.getAttribute("width")) * READABLE}px`; // a wide one is scrolled
byId("opening").hidden = data.hidden;
byId("file").addEventListener("change", () => open(byId("file").files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => { event.preventDefault(); if (!data.hidden) open(event.dataTransfer.files[0]); });
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const written = byId("move").value.trim();
  const same = options().filter((option) => option.name === written || option.name.toLowerCase() === written.toLowerCase());
  const fitting = same.length ? same : options().filter((option) => isShortFor(written, option));
  if (fitting.length === 1) { byId("move").value = ""; go(fitting[0].name); }
  else tell(written ? say("“{0}” is not possible here.", written) : "");
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
