"use strict";
// Marks what a student fills in. What is right, and why, stands in the data of the page: see gdl/exam/practice.py.

// ---- Marking: the rules of gdl/exam/grade.py ------------------------------------------------------------------------

/** The number that a text stands for, as numerator and denominator; null if it is none. */
function readNumber(text) {
  const found = /^([+-]?)(?:(\d+)\/(\d+)|(\d*)\.(\d+)|(\d+))$/.exec(text.trim().replace("−", "-"));
  if (!found || text.length > 60) return null;
  const [, minus, upper, lower, whole, decimals, plain] = found;
  const sign = minus === "-" ? -1n : 1n;
  if (lower !== undefined) return BigInt(lower) ? [sign * BigInt(upper), BigInt(lower)] : null;
  if (decimals !== undefined) return [sign * BigInt((whole || "0") + decimals), 10n ** BigInt(decimals.length)];
  return [sign * BigInt(plain), 1n];
}

/** A number, or the numbers of a vector in brackets; null where one is none. */
function readAmount(text) {
  const told = text.trim();
  const parts = told.startsWith("(") ? told.replace(/^\(+|\)+$/g, "").split(",").map(readNumber) : [readNumber(told)];
  return parts.includes(null) ? null : { numbers: parts, vector: told.startsWith("(") };
}

const equal = (a, b) => a[0] * b[1] === b[0] * a[1];

/** Whether a number is the other rounded to so many decimals, half to even. */
function isRounded(given, [upper, lower], decimals) {
  const whole = (given[0] * 10n ** BigInt(decimals)) / given[1];
  const twice = 2n * (upper * 10n ** BigInt(decimals) - whole * lower);
  const off = twice < 0n ? -twice : twice;
  return off < lower || (off === lower && whole % 2n === 0n);
}

/** Whether a text is the amount, exactly or rounded to the decimals that it gives. */
function sameAmount(text, amount, vector) {
  const found = readAmount(text);
  const wanted = amount.map((number) => number.map(BigInt));
  if (!found || found.vector !== vector || found.numbers.length !== wanted.length) return false;
  if (vector) return wanted.every((number, at) => equal(number, found.numbers[at]));
  const decimals = text.includes(".") ? text.trim().split(".")[1].length : 0;
  return equal(wanted[0], found.numbers[0]) || (decimals > 0 && isRounded(found.numbers[0], wanted[0], decimals));
}

const agrees = (claim, right) => claim.sign === right.sign && sameAmount(claim.amount, right.amount, right.vector);

/** The marks of one tree by one rule, in the order of the search, and the score. `others` are the keys of other rules;
 * answers are { claims: node -> { sign, amount, alpha, beta }, cut: nodes, best: node or null, windows: whether asked }. */
function marked(tree, key, others, answers) {
  const marks = key.nodes.map((right) => valueMark(right, others, answers.claims[right.node]));
  if (answers.windows) marks.push(...key.nodes.filter((right) => right.windows).map((right) => windowMark(right, answers.claims[right.node])));
  if (key.skipped) marks.push(cutMark(tree, key, others, answers.cut));
  if (key.best.length) marks.push(bestMark(tree, key, answers.best));
  const visited = new Set(key.nodes.map((right) => right.node));
  for (const [node, claim] of Object.entries(answers.claims)) {
    if (visited.has(Number(node)) || !claim.amount) continue;
    marks.push({ item: Number(node), given: true, correct: false, counts: false, why: "The search never looks at this node." });
  }
  const counting = marks.filter((mark) => mark.counts);
  const score = counting.reduce((sum, mark) => sum + (mark.correct ? 1 : mark.half ? 0.5 : 0), 0);
  return { marks, of: counting.length, score };
}

function valueMark(right, others, claim) {
  const mark = { item: right.node, counts: true, correct: false, given: Boolean(claim && claim.amount), right: right.told };
  if (!mark.given) return { ...mark, why: right.why.any };
  if (agrees(claim, right)) return { ...mark, correct: true, why: "" };
  const elsewhere = others.some((key) => key.nodes.some((other) => other.node === right.node && agrees(claim, other)));
  return { ...mark, why: whyWrong(right, claim) + (elsewhere ? " (It would be right with the other pruning rule.)" : "") };
}

function whyWrong(right, claim) {
  if (readAmount(claim.amount) === null) return `“${claim.amount}” is no number.`;
  if (!claim.sign) return "Say whether it is a value (=) or only a bound (≤, ≥).";
  if (sameAmount(claim.amount, right.amount, right.vector)) return right.why.sign;
  const { extreme } = right.why;
  return extreme && sameAmount(claim.amount, [extreme[0]], false) ? extreme[1] : right.why.any;
}

function windowMark(right, claim) {
  const given = [claim?.alpha ?? "", claim?.beta ?? ""];
  const ends = right.windows.map((end, at) => sameEnd(given[at], end, at === 0 ? "-" : ""));
  const told = right.windows.map((end, at) => (end ? (end[1] === "1" ? end[0] : end.join("/")) : at ? "∞" : "−∞"));
  const why = `The search enters with α = ${told[0]} and β = ${told[1]}.`;
  return { item: `window ${right.node}`, node: right.node, counts: true, given: Boolean(given[0] || given[1]), correct: ends[0] && ends[1], right: told.join(", "), why };
}

function sameEnd(text, end, sign) {
  const told = text.trim().toLowerCase().replace("−", "-").replace(/^\+/, "");
  return end ? sameAmount(text, [end], false) : ["∞", "inf", "infinity", "oo"].some((word) => told === sign + word);
}

/** Some nodes and all that is below them. */
const below = (tree, roots) => roots.flatMap((node) => [node, ...below(tree, tree.nodes[node].children)]);

const leavesBelow = (tree, roots) => new Set(below(tree, roots).filter((node) => !tree.nodes[node].children.length));

const sameSet = (a, b) => a.size === b.size && [...a].every((each) => b.has(each));

function cutMark(tree, key, others, cut) {
  const given = leavesBelow(tree, cut);
  const mark = { item: "cut", counts: true, given: true, right: key.skipped.map((node) => tree.nodes[node].branch).join(", ") || "none" };
  if (sameSet(given, leavesBelow(tree, key.skipped))) return { ...mark, correct: true, why: "" };
  const missing = key.skipped.filter((root) => [...leavesBelow(tree, [root])].some((leaf) => !given.has(leaf)));
  const extra = key.visited.filter((leaf) => given.has(leaf)).map((leaf) => tree.nodes[leaf].branch);
  const said = [];
  if (missing.length) said.push(key.cutWhy);
  if (extra.length) said.push(`${extra.join(", ")} ${extra.length === 1 ? "is" : "are"} looked at`);
  const elsewhere = others.some((other) => other.skipped && sameSet(given, leavesBelow(tree, other.skipped)));
  const visited = new Set([...key.visited, ...key.nodes.map((right) => right.node)]);
  const right = key.skipped.length - missing.length;
  const half = right > 0 && right >= missing.length + cut.filter((node) => visited.has(node)).length;
  return { ...mark, correct: false, half, why: said.join("; ") + (elsewhere ? " (It would be right with the other pruning rule.)" : "") };
}

function bestMark(tree, key, best) {
  const right = (key.skipped ? key.best.slice(0, 1) : key.best).map((node) => tree.nodes[node].branch).join(", "); // of several a search that prunes knows one
  return { item: "best", counts: true, given: best !== null, correct: key.best.includes(best), right, why: key.best.includes(best) ? "" : key.bestWhy };
}

if (typeof module !== "undefined") module.exports = { marked, sameAmount };

// ---- The page -------------------------------------------------------------------------------------------------------

const TASKS = {
  "alpha-beta": "Search the tree with alpha-beta, from left to right. Write what it returns at each node that it visits, mark the branches that it prunes, and choose the best move.",
  star1: "Search the tree with expectiminimax with pruning by bounds. Write what it returns at each node that it visits, mark the branches that it prunes, and choose the best move.",
  shallow: "Search the tree with max^n with shallow pruning. Write what it returns at each node that it visits, mark the branches that it prunes, and choose the best move.",
  expectiminimax: "Write the value of each inner node, and choose the best move.",
  maxn: "Write the vector of each inner node, as in (1, 2, 3), and choose the best move.",
};

function make(tag, properties, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

function start() {
  const { cut: first, trees: data } = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const stages = [...document.querySelectorAll(".tree")];
  const written = data.map(() => ({ claims: {}, cut: [], best: null })); // what was filled in, by tree
  const solved = data.map(() => false);
  const shelf = `gdl practice ${data.map(({ title, nodes }) => `${title}/${nodes.map(({ leaf }) => leaf ?? "").join()}`).join()}`;
  let now = 0;
  let hints = 0;
  let hinted = ""; // what the last hint was about
  try {
    const kept = JSON.parse(localStorage.getItem(shelf));
    if (kept?.written?.length === data.length) { Object.assign(written, kept.written); Object.assign(solved, kept.solved); }
  } catch { /* nothing is kept */ }

  const tree = () => data[now];
  const rules = () => Object.keys(tree().keys);
  const rule = () => (rules().length > 1 ? byId("rule").value : rules()[0]);
  const key = () => tree().keys[rule()];
  const result = () => marked(tree(), key(), rules().filter((name) => name !== rule()).map((name) => tree().keys[name]), { ...written[now], windows: byId("windows").checked });

  const named = (node) => {
    const { name, mover } = tree().nodes[node];
    return `${name} (${mover})`;
  };

  function show(number) {
    now = (number + data.length) % data.length;
    hints = 0;
    hinted = "";
    stages.forEach((stage, at) => { stage.hidden = at !== now; });
    which();
    byId("rules").hidden = rules().length < 2;
    byId("windowed").hidden = !key().nodes.some((right) => right.windows);
    byId("task").textContent = TASKS[key().solver] || TASKS["alpha-beta"];
    byId("cut-line").hidden = !key().skipped;
    byId("best-line").hidden = !key().best.length;
    byId("rows").replaceChildren(...tree().nodes.flatMap((node, at) => (node.children.length ? [row(at)] : [])));
    const choices = tree().nodes[0].children.map((child) => new Option(tree().nodes[child].branch, child));
    byId("best").replaceChildren(new Option("", ""), ...choices);
    byId("best").value = written[now].best ?? "";
    byId("said").textContent = "";
    forget();
    draw();
  }

  function row(node) {
    const claim = written[now].claims[node] || { sign: "", amount: "", alpha: "", beta: "" };
    const read = () => {
      const [alpha, beta, amount] = inputs.map((input) => input.value);
      if (amount.trim() && !sign.value) sign.value = "=";
      written[now].claims[node] = { sign: sign.value, amount, alpha, beta };
      changed(node);
    };
    const choices = [["", ""], ["=", "="], ["<=", "≤"], [">=", "≥"]].map(([value, label]) => new Option(label, value));
    const sign = make("select", { onchange: read, ariaLabel: `What is known of ${named(node)}` }, ...choices);
    sign.value = claim.sign;
    const inputs = ["alpha", "beta", "amount"].map((field) => {
      const input = make("input", { value: claim[field] || "", size: 5, onchange: read, ariaLabel: `${field === "amount" ? "Value" : field} of ${named(node)}` });
      input.dataset.field = field;
      return input;
    });
    const cell = (className, ...inside) => make("td", { className }, ...inside);
    const name = make("th", { scope: "row", textContent: named(node) });
    const line = make("tr", {}, name, cell("window", inputs[0]), cell("window", inputs[1]), cell("", sign, inputs[2]), cell("mark"));
    line.dataset.n = node;
    line.addEventListener("focusin", () => light(node));
    return line;
  }

  /** Shows which node a row is about. */
  function light(node) {
    for (const group of stages[now].querySelectorAll(".node")) group.classList.toggle("now", Number(group.dataset.n) === node);
  }

  function changed(node) {
    forget();
    if (!byId("live").checked) return;
    for (const mark of result().marks) if (mark.given && (mark.item === node || mark.node === node)) tell(mark);
  }

  /** The tree as it is filled in. */
  function draw() {
    const cut = new Set(written[now].cut);
    const skipped = new Set(below(tree(), written[now].cut));
    const counts = Boolean(key().skipped);
    for (const edge of stages[now].querySelectorAll(".edge")) {
      const node = Number(edge.dataset.n);
      edge.classList.toggle("cut", cut.has(node));
      edge.classList.toggle("skipped", skipped.has(node));
      if (counts) {
        edge.setAttribute("role", "checkbox");
        edge.setAttribute("tabindex", "0");
        edge.setAttribute("aria-checked", String(cut.has(node)));
        edge.setAttribute("aria-label", `Never look at ${tree().nodes[node].branch}`);
      }
    }
    for (const group of stages[now].querySelectorAll(".node")) {
      const node = Number(group.dataset.n);
      group.classList.toggle("skipped", skipped.has(node));
      const claim = written[now].claims[node];
      const signs = { "<=": "≤ ", ">=": "≥ ", "=": "= " };
      group.querySelector(".value").textContent = claim?.amount ? (signs[claim.sign] || "") + claim.amount : "";
    }
    keep();
    byId("cut").textContent = [...cut].sort((a, b) => a - b).map((node) => tree().nodes[node].branch).join(", ") || "nothing marked";
    document.body.classList.toggle("windows", byId("windows").checked && !byId("windowed").hidden);
  }

  function toggle(node) {
    if (!key().skipped) return;
    const { cut } = written[now];
    written[now].cut = cut.includes(node) ? cut.filter((each) => each !== node) : [...cut, node];
    forget();
    draw();
  }

  /** Takes the marks away: what was written has changed. */
  function forget() {
    for (const place of document.querySelectorAll(".mark")) { place.textContent = ""; place.className = "mark"; }
    draw();
  }

  function place(item) {
    if (item === "cut" || item === "best") return byId(`${item}-mark`);
    return document.querySelector(`#rows tr[data-n="${item}"] .mark`);
  }

  function tell(mark) {
    const at = place(mark.node ?? mark.item);
    const verdict = mark.correct ? "✓ right" : mark.half ? "½ partly right" : mark.given ? "✗ wrong" : "– empty";
    const word = mark.node === undefined ? verdict : `α, β: ${verdict}`;
    at.classList.add(mark.correct ? "right" : "wrong");
    at.textContent += `${at.textContent ? "; " : ""}${word}${mark.given && !mark.correct && mark.why ? `: ${mark.why}` : ""}`;
  }

  /** Marks what was answered, and gives nothing away. */
  function check() {
    forget();
    const { marks, score, of } = result();
    const blank = marks.filter((mark) => !mark.given);
    const uncut = (mark) => blank.length && mark.item === "cut" && !written[now].cut.length; // nothing marked so far
    const answered = marks.filter((mark) => mark.given && !uncut(mark));
    const empty = marks.length - answered.length;
    for (const mark of answered) tell({ ...mark, why: "" });
    const done = score === of ? " All is right." : empty ? ` ${empty} not answered yet.` : "";
    solved[now] = score === of;
    which();
    keep();
    byId("said").textContent = `${String(score).replace(/^0?\.5/, "½").replace(".5", "½")} of ${of} right.${done}`;
  }

  function which() {
    const count = solved.filter(Boolean).length;
    byId("which").textContent = `Tree ${now + 1} of ${data.length}${count ? `, ${count} solved` : ""}`;
  }

  /** Keeps the work over a reload, where the browser lets a page do so. */
  function keep() {
    try { localStorage.setItem(shelf, JSON.stringify({ written, solved })); } catch { /* it does not */ }
  }

  /** What is written, as `gdl grade` reads it. */
  function asText() {
    const { claims, cut, best } = written[now];
    const name = (node) => tree().nodes[node].name;
    const said = Object.entries(claims).filter(([, claim]) => claim.amount).map(([node, claim]) => `${name(node)}${claim.sign}${claim.amount}`);
    const windows = Object.entries(claims).filter(([, { alpha, beta }]) => alpha || beta).map(([node, { alpha, beta }]) => `${name(node)} [${alpha || "?"}, ${beta || "?"}]`);
    const branches = cut.map((node) => tree().nodes[node].branch).join(" ") || "none";
    return [said.join(" "), windows.join(" "), key().skipped ? `cut: ${branches}` : "", best === null ? "" : `best: ${tree().nodes[best].branch}`].filter(Boolean).join("\n");
  }

  /** One step further each time: where to look, who chooses there, and among what. */
  function hint() {
    const wrong = result().marks.find((mark) => !mark.correct);
    if (!wrong) { byId("said").textContent = "Nothing is missing."; return; }
    const about = `${wrong.item}/${wrong.node}`;
    hints = about === hinted ? hints + 1 : 1;
    hinted = about;
    const what = wrong.item === "cut" ? "the branches that are never looked at" : wrong.item === "best" ? "the best move"
      : wrong.node !== undefined ? `the window of ${named(wrong.node)}` : `node ${named(wrong.item)}`;
    const mover = typeof wrong.item === "number" ? tree().nodes[wrong.item].mover : "";
    const wants = mover === "chance" ? "Chance decides there: what is the average?" : `${mover} moves there: does ${mover} want much or little?`;
    const steps = [`Look at ${what}.`, ...(mover ? [wants] : []), `Look at ${what}: ${wrong.why}`];
    byId("said").textContent = steps[Math.min(hints, steps.length) - 1];
    if (typeof wrong.item === "number") light(wrong.item);
  }

  function reveal() {
    const { claims } = written[now];
    for (const right of key().nodes) {
      const numbers = right.amount.map(([upper, lower]) => (lower === "1" ? upper : `${upper}/${lower}`));
      const ends = (right.windows || []).map((end, at) => (end ? (end[1] === "1" ? end[0] : end.join("/")) : at ? "∞" : "−∞"));
      const amount = right.vector ? `(${numbers.join(", ")})` : numbers[0];
      claims[right.node] = { sign: right.sign, amount, alpha: ends[0] || "", beta: ends[1] || "" };
    }
    const seen = new Set(key().nodes.map((right) => right.node));
    for (const node of Object.keys(claims)) if (!seen.has(Number(node))) delete claims[node];
    written[now].cut = key().skipped || [];
    written[now].best = key().best[0] ?? null;
    show(now);
    check();
  }

  byId("previous").addEventListener("click", () => show(now - 1));
  byId("following").addEventListener("click", () => show(now + 1));
  byId("rule").addEventListener("change", () => { forget(); byId("said").textContent = ""; });
  byId("windows").addEventListener("change", draw);
  byId("best").addEventListener("change", (event) => { written[now].best = event.target.value === "" ? null : Number(event.target.value); forget(); });
  byId("answers").addEventListener("submit", (event) => { event.preventDefault(); check(); });
  byId("hint").addEventListener("click", hint);
  byId("reveal").addEventListener("click", reveal);
  byId("clear").addEventListener("click", () => { written[now] = { claims: {}, cut: [], best: null }; show(now); });
  for (const stage of stages) {
    for (const node of stage.querySelectorAll(".node[tabindex]")) {
      node.setAttribute("tabindex", "-1");
      node.removeAttribute("aria-expanded");
      node.addEventListener("click", () => document.querySelector(`#rows tr[data-n="${node.dataset.n}"] input[data-field=amount]`)?.focus());
    }
    for (const edge of stage.querySelectorAll(".edge")) {
      const wide = edge.querySelector("line").cloneNode(); // so that a finger finds it
      wide.classList.add("hit");
      edge.prepend(wide);
      edge.addEventListener("click", () => toggle(Number(edge.dataset.n)));
      edge.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(Number(edge.dataset.n)); }
      });
    }
    for (const leaf of stage.querySelectorAll(".node:not([tabindex])")) {
      leaf.addEventListener("click", () => toggle(Number(leaf.dataset.n)));
    }
  }
  byId("hand-in").addEventListener("click", () => {
    byId("text").hidden = false;
    byId("text").value = asText();
    byId("text").select();
  });
  byId("rule").value = first;
  show(0);
}

if (typeof document !== "undefined") start();
