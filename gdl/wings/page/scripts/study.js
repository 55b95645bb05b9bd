// What is thought of the play: the bar, the best line, what each move is worth; variations with comments; a whole game.
import { colour } from "./board.js";
import { Helper, asking, at, button, data, earlier, following, fromHash, game, hash, judge, node, path, say, seconds, sentence, settle, show, shown, tell, verdict, viewer, visit, wholeLine } from "./page.js";

const MOST_WORKERS = 4; // one for each core, as far as memory may last
const student = new Helper(); // beside the opponent, so that no reply waits
const analysts = Array.from({ length: Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1)) }, () => new Helper());
let looking = null; // the position that is looked at
let analysing = 0; // the analysis under way, if any; another number ends it
// ---- The present position -----------------------------------------------------------------------------------------------

/** Look at the present position, where that is asked for, and show what was found of it. */
export function evaluate() {
  const on = byId("values").checked && !data.hidden && node.kind === "decision";
  const found = on ? at.found : null;
  byId("bar").hidden = !on || game.players.length !== 2;
  byId("best").hidden = !on;
  if (!on) return;
  byId("best").textContent = found?.value ? `${verdict(found).slice(2)}. ${say("Best: {0}", found.line.join(" "))} (${found.how})` : say("Looking …");
  if (found?.value && game.players.length === 2) {
    const share = 50 + 50 * judge.chances(found, 0);
    byId("balance").style.background = colour(0);
    byId("bar").style.background = colour(1);
    byId("balance").style.width = `${share.toFixed(1)}%`;
    byId("bar").setAttribute("aria-label", `${game.players[0]} ${shown(found.value[0], found.exact)}`);
  }
  if (!found?.all) look(at);
}

async function look(place) {
  if (looking === place) return;
  looking = place;
  const found = await student.ask({ ...asking(place), player: null, seconds: seconds(), all: true });
  if (!found) return; // another is looked at
  looking = null;
  place.found = { ...found, all: true };
  if (place === at) show();
}

// ---- The whole game -----------------------------------------------------------------------------------------------------

/** All positions of the line, each by whichever worker is free. */
async function analyse() {
  for (const analyst of analysts) analyst.stop();
  if (analysing) { analysing = 0; return; }
  const mine = (analysing = Math.random());
  byId("analyse").textContent = say("Stop");
  const line = wholeLine();
  const wanted = (line.length ? [line[0].parent, ...line] : []).filter(({ found, state }) => !found && game.node(state).kind === "decision");
  const count = wanted.length;
  await Promise.all(analysts.map(async (analyst) => {
    for (let place; analysing === mine && (place = wanted.shift()); showLog(false)) {
      tell(say("Looking at move {0} of {1} …", count - wanted.length, count));
      place.found ??= await analyst.ask({ ...asking(place), player: null, seconds: seconds() });
      for (const each of line) each.mark = markOf(each);
    }
  }));
  tell(analysing === mine ? summary(line) : "");
  analysing = 0;
  byId("analyse").textContent = say("Analyse the game");
}

/** What a move gave away for the one who made it, as a mark. */
function markOf(place) {
  const { found } = place.parent;
  if (place.who === null || !found?.value || found.best === place.name) return "";
  const after = game.node(place.state);
  const now = after.kind === "end" ? { value: after.utilities, exact: true } : place.found;
  if (!now?.value) return "";
  return judge.mark(found, now, place.who);
}

function summary(line) {
  const count = (player, mark) => line.filter((place) => place.who === player && place.mark === mark).length;
  const told = game.players.map((name, p) => `${name}: ${data.marks.map(([, mark]) => `${count(p, mark)} ${mark}`).join(", ")}`);
  return say("{0} (?? gives much away, ?! a little).", told.join("; "));
}

// ---- The play so far ----------------------------------------------------------------------------------------------------

export function showLog(curtained) {
  byId("study").hidden = data.hidden;
  byId("comment").disabled = !at.parent;
  if (document.activeElement !== byId("comment")) byId("comment").value = at.comment;
  const first = path()[0]?.parent ?? at;
  byId("log").replaceChildren(...(curtained ? [] : data.hidden ? path().map(heardLine) : mainLine(first)));
  const log = byId("log");
  const now = log.querySelector("[aria-current]");
  if (now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight / 2;
  else log.scrollTop = log.scrollHeight;
}

/** The moves that follow on a line, each with the variations to it. */
function* plyParts(start) {
  let here = start;
  for (let next; (next = following(here)); here = next) yield { place: next, parts: moved(next), others: here.children.slice(1) };
  if (here.anew) yield { place: here, parts: [], others: here.children };
}

/** The main line: a part for each move with what chance did before it, or after it where a player began, and of two players
 * for what one of them did in a row; where two players take turns a row for a part of both, else a row for each. */
function mainLine(start) {
  const plies = [...plyParts(start)].map((ply) => ({ ...ply, acts: ply.place.who !== null && ply.parts.length > 0 }));
  const owners = plies.flatMap(({ acts, place }) => (acts ? [place.who] : []));
  const turns = game.players.length === 2 && (plies[0]?.acts || owners.every((who, k) => !k || who !== owners[k - 1]));
  const rows = [];
  let [part, count, last] = [null, 0, null];
  plies.forEach(({ parts, others, acts, place }, k) => {
    const begins = plies[0].acts ? acts && (!turns || place.who !== last) : !k || plies[k - 1].acts;
    if (acts) last = place.who;
    if (begins) {
      part = make("span");
      if (!turns || count++ % 2 === 0) rows.push(make("li", { className: turns ? "round" : "" }));
    }
    part.append(...parts);
    rows[rows.length - 1].append(part, ...(others.length ? [variations(others)] : []));
  });
  return rows;
}

/** Other ways on, which unfold; open where the present position is one of them. */
function variations(starts) {
  const list = make("ul", {}, ...starts.map((start) => make("li", {}, ...moved(start), ...[...plyParts(start)].flatMap(({ parts, others }) => [" ", ...parts, ...(others.length ? [variations(others)] : [])]))));
  const open = starts.some((start) => path().includes(start));
  return make("details", { open }, make("summary", { textContent: say(starts.length > 1 ? "{0} variations" : "a variation", starts.length) }), list);
}

/** A move as a button that leads to it, with its mark and its comment. */
function moved(place) {
  const visited = () => { visit(place); byId("log").querySelector("[aria-current]")?.focus(); };
  const made = button(place.name + (place.mark ? ` ${place.mark}` : ""), visited, { "": "", "??": "blunder" }[place.mark] ?? "doubtful");
  if (place === at) made.setAttribute("aria-current", "step");
  if (place.who !== null) made.title = sentence(place.who, place.name);
  return [made, make("span", { className: "comment", textContent: place.comment ? ` ${place.comment}` : "" })];
}

/** What of a ply the viewer knows: what they did, what they were told, or that somebody acted. */
function heardLine({ who, name, events }) {
  const all = viewer === null || who === viewer;
  const words = who === null ? "" : sentence(who, name);
  const told = Array.isArray(name) ? name.flatMap((each, p) => (each !== null && (viewer === null || p === viewer) ? [`${game.players[p]}: ${each}`] : [])) : all ? [words || name] : [];
  const heard = viewer === null ? [] : events.filter(([hearer]) => hearer === null || hearer === viewer).map(([, text]) => (words && text === game.done(who, name) ? words : `“${text}”`));
  const acted = who === null ? say("chance") : say("{0} acts", game.players[who]);
  return make("li", { textContent: [...told, ...heard].join(" ") || acted });
}

/** Another variation beside the present one. */
function beside(step) {
  const others = at.parent?.children ?? [];
  return others[others.indexOf(at) + step];
}

const WAYS = {
  ArrowLeft: () => earlier(),
  ArrowRight: () => at.children[0],
  ArrowUp: () => beside(-1),
  ArrowDown: () => beside(1),
  Home: () => earlier(true),
  End: () => wholeLine().pop(),
};

for (const [id, way] of [["first", "Home"], ["previous", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"]]) {
  byId(id).addEventListener("click", () => visit(WAYS[way]()));
}
document.addEventListener("keydown", (event) => {
  const free = !event.target.closest("input, select, textarea, summary, pre") && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!free || data.hidden || !WAYS[event.key]) return;
  event.preventDefault();
  visit(WAYS[event.key]());
});
byId("analyse").addEventListener("click", analyse);
byId("comment").addEventListener("input", () => { at.comment = byId("comment").value; showLog(false); history.replaceState(null, "", `#${hash()}`); });

byId("values").parentElement.hidden = data.hidden; // nobody is told who is ahead where something is hidden
byId("turn").hidden = !data.boards.length;
fromHash();
settle();
