// A careless player: clicks, drags, keys and buttons at random, changes of mind, take-backs and reloads, with what must
// hold after each. It runs in a page, in a browser or in small_dom.js; STEPS, SEED and the ADDRESS that hears what was
// found stand before it. What it did is kept over a reload.
{
const data = JSON.parse(document.getElementById("data").textContent);
const kept = sessionStorage.careless ? JSON.parse(sessionStorage.careless) : { step: 0, seed: SEED, deeds: [], faults: [], ends: 0 };
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const random = (count) => { kept.seed = (kept.seed * 48271) % 2147483647; return Math.floor((kept.seed / 2147483647) * count); };
const any = (list) => list[random(list.length)];
const by = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const isShown = (each) => !each.closest("[hidden]") && !each.disabled;
const store = () => { sessionStorage.careless = JSON.stringify(kept); };
const post = (result) => { sessionStorage.careless = ""; fetch(ADDRESS, { method: "POST", mode: "no-cors", body: JSON.stringify(result) }); };
const fault = (text) => kept.faults.push(String(text));
addEventListener("error", ({ message }) => fault(`an error: ${message}`));
addEventListener("unhandledrejection", ({ reason }) => fault(`an error: ${reason?.stack ?? reason}`));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => fault(`refused: ${violatedDirective} ${blockedURI}`));

// ---- What must hold ----

let game;
const unsealed = (text) => JSON.parse(decodeURIComponent(escape(atob(text.replaceAll("-", "+").replaceAll("_", "/")))));

/** The names of all that was done, as the link has them. */
function names() {
  const [, ...line] = location.hash.slice(1).split(";")[0].split("/");
  if (data.hidden) return line[0] ? unsealed(line[0]) : [];
  return line.filter(Boolean).map(decodeURIComponent);
}

/** The state to which the rules lead by that, or a fault. */
function reached() {
  let state = game.initial();
  for (const name of names()) {
    const choice = game.choice(game.node(state), name);
    if (choice === null) { fault(`the rules do not reach ${name} of ${names()}`); return null; }
    state = game.next(state, choice);
  }
  return state;
}

function check() {
  const { gdl } = window;
  const state = reached();
  if (!state) return;
  const node = game.node(state);
  const [status, mover] = [by("status").textContent, gdl.player()];
  const seen = [game.key(state), ...game.players.map((_, p) => game.shownTo(p, state))];
  if (!seen.includes(gdl.position())) fault(`the page is at ${gdl.position()}, the rules at ${seen[0]}`);
  if (node.kind === "chance") fault("nature has not acted");
  if (gdl.over() !== (node.kind === "end")) fault("play is over on the page or by the rules alone");
  if (gdl.over() && !/^The game is over: \S/.test(status)) fault(`the end is told as "${status}"`);
  if (gdl.over() && all(".strip.turn").length) fault("somebody is marked at the end");
  if (!gdl.over() && mover === null) fault("nobody is to move");
  if (!gdl.over() && !(status.includes(mover ?? "nobody") && all(".strip.turn").length)) fault(`${mover} is to move, told as "${status}"`);
  const ways = (node.kind === "everyone" ? node.options.flat() : node.options ?? []).map(({ name }) => name);
  if (gdl.legal().some((name) => !ways.includes(name))) fault(`open beyond the rules: ${gdl.legal().filter((name) => !ways.includes(name))}`);
  const controls = all("#table button, #moves button, #choices button").filter(isShown).length + all('.square[aria-disabled="false"], .node.open').length;
  if (gdl.legal().length && by("curtain").hidden && !controls) fault("no click leads on");
  const text = all("#status, #why, #notice, #told, #past, #log, #moves, #things, .strip, #cells, figcaption, .square title").map((each) => each.textContent).join(" ");
  const called = [...ways, ...names().flat()]; // a set of one may be part of a name
  const said = called.reduce((left, name) => left.replaceAll(name, ""), all("#status, #why, #notice, #told, #past").map((each) => each.textContent).join(" "));
  const odd = /undefined|NaN|\[object/.exec(text) ?? /\{\d\}/.exec(said); // elsewhere that may be a set
  if (odd) fault(`"${odd[0]}" is shown`);
  if (all("#choices").length > 1 || (all("#choices").length && gdl.over())) fault("a choice is left open");
}

// ---- What is done ----

const click = (each) => each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
const key = (each, name) => each.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const called = (each) => (each.getAttribute("aria-label") || each.textContent || each.id).slice(0, 40);
const squares = () => all(".square");
const open = () => all('.square[aria-disabled="false"]');
const targets = () => all(".square.target");
const press = (selector) => () => {
  const each = any(all(selector).filter(isShown));
  each?.click();
  return each && called(each);
};
const clicked = (some) => () => {
  const each = any(some());
  if (each) click(each);
  return each && called(each);
};
const pointer = (type, each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  each.dispatchEvent(new PointerEvent(type, { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, button: 0 }));
};

function drag() {
  const from = any(random(4) ? open() : squares());
  if (!from) return undefined;
  from.scrollIntoView({ block: "center" });
  pointer("pointerdown", from);
  pointer("pointermove", any(squares()));
  const to = any(random(3) && targets().length ? targets() : squares());
  pointer("pointermove", to);
  pointer(random(9) ? "pointerup" : "pointercancel", to);
  return `${called(from)} to ${called(to)}`;
}

/** A card of a hand, or a man of one, to a square, the table or anywhere. */
function dragHeld() {
  const from = any(all(".strip .card, [data-hand]"));
  if (!from) return undefined;
  from.scrollIntoView({ block: "center" });
  const to = any([...squares(), ...all("#things, #status, .strip")]);
  pointer("pointerdown", from);
  pointer("pointermove", to);
  pointer(random(9) ? "pointerup" : "pointercancel", to);
  return `${called(from)} to ${called(to)}`;
}

function type() {
  const text = any([...window.gdl.legal().slice(0, 40), "zz", "", "e4", "Nf3", "O-O", "<b>", "9 9"]);
  by("move").value = text;
  by("typed").requestSubmit();
  return text || "nothing";
}

function keys() {
  const focus = document.activeElement?.closest(".square") ?? document.querySelector('.square[tabindex="0"]') ?? document.body;
  focus.focus();
  const pressed = Array.from({ length: 1 + random(4) }, () => any(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])).concat(any(["Enter", " ", "Escape"]));
  for (const each of pressed) key(document.activeElement ?? document.body, each);
  return pressed.join(" ");
}

function sit() {
  const who = game.players.map(() => any(["person", "person", "computer"]));
  const select = any(all(".strip select"));
  if (random(2)) { window.gdl.seats(...who); return who.join(", "); }
  select.value = any(["person", "computer"]);
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return `${called(select)} ${select.value}`;
}

/** An address that somebody has written, with a move that may be none. */
function address() {
  const line = location.hash.slice(1).split(";")[0].split("/");
  const written = any([line.slice(0, -1), [...line, any(["zz", "e2e4", "%E0%A4%A", "pass"])], line.slice(0, 1)]).join("/");
  location.hash = `#${written}`;
  dispatchEvent(new Event("hashchange"));
  return written;
}

function comment() {
  if (by("comment").disabled || !isShown(by("comment"))) return undefined;
  by("comment").value = any(["why?", "a;b/c,d=e", "", "♞ \ud83d"]);
  by("comment").dispatchEvent(new Event("input", { bubbles: true }));
  return by("comment").value;
}

const DEEDS = [
  ["click an open square", 24, clicked(open)],
  ["click a target", 24, clicked(targets)],
  ["click a square", 8, clicked(squares)],
  ["click a node", 8, clicked(() => all(".node.open"))],
  ["press a move", 14, press("#moves button")],
  ["press a thing", 14, press("#table button")],
  ["choose", 20, press("#choices button")],
  ["drag", 10, drag],
  ["drag from a hand", 6, dragHeld],
  ["keys", 6, keys],
  ["Escape", 3, () => { key(document.body, "Escape"); return "."; }],
  ["type", 6, type],
  ["take back", 6, press("#back")],
  ["look", 30, press("#look")],
  ["go on from the past", 10, press("#continue")],
  ["walk through the play", 6, press("#first, #previous, #next, #last")],
  ["press a move of the list", 5, press("#log button")],
  ["new game", 1, press("#new")],
  ["turn", 1, press("#turn")],
  ["hint", 1, press("#hint")],
  ["computer moves", 2, press("#now")],
  ["values or every move", 2, press("#values, #every")],
  ["a seat", 2, sit],
  ["an address", 1, address],
  ["comment", 2, comment],
  ["reload", 1, null],
];
const WEIGHT = DEEDS.reduce((sum, [, weight]) => sum + weight, 0);

/** A deed at random that can be done here. */
function act() {
  let left = random(WEIGHT);
  const [name, , doing] = DEEDS.find(([, weight]) => (left -= weight) < 0);
  const done = doing ? doing() : "the page";
  if (done !== undefined) kept.deeds.push(`${name}: ${done}`);
  return [done !== undefined, doing === null];
}

(async () => {
  try {
    while (!window.gdl) await wait(5);
    game = await gameOf(data.game);
    by("seconds").value = "0.3";
    if (!kept.step) window.gdl.seats(...game.players.map((_, p) => (p && random(3) === 0 ? "computer" : "person")));
    check();
    for (let tries = 0; kept.step < STEPS && !kept.faults.length && tries < 60 * STEPS; tries++) {
      const [done, reloads] = act();
      if (!done) continue;
      kept.step++;
      await wait(kept.step % 8 ? 0 : 20);
      if (reloads) { store(); location.reload(); await new Promise(() => {}); }
      check();
      if (window.gdl.over() && ++kept.ends % 6 === 0) by("new").click();
    }
  } catch (error) { fault(error.stack); }
  post({ faults: kept.faults, deeds: kept.deeds.slice(-25), seed: kept.seed, steps: kept.step, ends: kept.ends, hash: location.hash });
})();
}
