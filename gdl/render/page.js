// Shows a search step by step. A step is [node, event, said, why, value, alpha, beta, skipped, marks, window in words, intervals]; see gdl/render/steps.py.
// controls.js stands before this.

const WRITTEN = ".value, .alpha, .beta, .order"; // of a node, by the script
const folded = new Set(); // nodes whose subtrees are hidden

/** One tree on the page, showing one run. */
class View {
  constructor(figure, run) {
    this.figure = figure;
    this.select = figure.querySelector("select");
    this.nodes = [];
    this.edges = [];
    for (const group of figure.querySelectorAll("[data-n]")) (group.matches(".node") ? this.nodes : this.edges)[group.dataset.n] = group;
    for (const text of figure.querySelectorAll(".node text")) text.before(" "); // between words of the node's name
    data.runs.forEach((each, number) => this.select.add(new Option(each.name, number)));
    this.select.value = run;
    this.select.addEventListener("change", () => { show(Math.min(now, last())); });
    this.nodes.forEach((group, n) => {
      if (!data.nodes[n].children.length) return;
      group.addEventListener("click", () => toggle(n));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter") { event.preventDefault(); toggle(n); }
      });
    });
  }

  get run() { return data.runs[this.select.value] || { steps: [], line: [], name: "" }; }

  /** Everything that is known after the first `count` steps of the run. */
  known(count) {
    const state = { value: {}, window: {}, order: {}, open: new Set(), skipped: new Set(), cut: new Set(), cuts: [], leaves: 0, now: -1, bound: {}, simulations: 0, interval: {} };
    let visited = 0;
    this.run.steps.slice(0, count).forEach((step, place) => {
      const [node, event, said, , value, alpha, beta, skipped, marks, , intervals] = step;
      state.now = node;
      state.bound = {};
      for (const [other, text] of intervals) state.interval[other] = text;
      for (const [other, score, bound] of marks) { state.value[other] = score; state.bound[other] = bound; }
      if (["enter", "select", "expand"].includes(event)) state.open.add(node);
      if (event === "backup") { state.open.clear(); state.simulations++; }
      if (event === "enter" || event === "leaf" || (event === "expand" && !(node in state.order))) state.order[node] = ++visited;
      if (event === "leaf") state.leaves++;
      if (event === "leave") state.open.delete(node);
      if (value) state.value[node] = value;
      if (alpha || beta) state.window[node] = [alpha, beta];
      if (event === "cut") {
        state.cuts.push([place + 1, said]);
        for (const root of skipped) { state.cut.add(root); below(root, (n) => state.skipped.add(n)); }
      }
    });
    state.visited = visited;
    return state;
  }

  show(count) {
    const steps = this.run.steps;
    const at = Math.min(count, steps.length);
    const state = this.known(at);
    const done = at === steps.length && at > 0;
    const line = new Set(done ? this.run.line : []);
    this.nodes.forEach((group, n) => {
      const [skipped, open] = [state.skipped.has(n), state.open.has(n)];
      setClasses(group, { now: n === state.now && !done, open, skipped, unseen: at > 0 && !(n in state.order) && !skipped, folded: folded.has(n) });
      const inner = data.nodes[n].children.length > 0;
      const [alpha, beta] = (inner && open && state.window[n]) || ["", ""];
      const interval = byId("intervals").checked && inner && n in state.order ? state.interval[n] ?? "[−∞, ∞]" : null;
      write(group, "value", inner || this.run.simulations ? state.value[n] || "" : "");
      write(group, "alpha", interval || (alpha && `α = ${alpha}`) || (state.bound[n] ? `≤ ${state.bound[n]}` : ""));
      write(group, "beta", interval ? "" : beta && `β = ${beta}`);
      write(group, "order", state.order[n] || "");
      group.dataset.name ??= group.getAttribute("aria-label") ?? "";
      if (inner) group.setAttribute("aria-label", [group.dataset.name, ...[...group.querySelectorAll(WRITTEN)].map((each) => each.textContent)].filter(Boolean).join(" "));
    });
    this.edges.forEach((group, n) => setClasses(group, { skipped: state.skipped.has(n), cut: state.cut.has(n), principal: line.has(n) }));
    const none = steps.length ? "Before the first step: the right arrow key goes on." : "This search kept no record.";
    const step = at ? steps[at - 1] : null;
    const looked = [counted(state.visited, "node", "nodes"), counted(state.leaves, "leaf", "leaves"), counted(state.cut.size, "subtree skipped", "subtrees skipped")];
    write(this.figure, "said", step ? step[2] : none);
    write(this.figure, "why", step ? step[3] : "");
    write(this.figure, "count", this.run.simulations ? counted(state.simulations, "simulation", "simulations") : looked.join(", "));
    return { state, step };
  }
}

/** The pseudo-code of the run with the line lit that the step carries out, and the nodes that are open. */
function tell(view, state, step) {
  const code = view.run.code || [];
  const before = view.run.steps[now - 2];
  const cut = step && step[1] === "leave" && before && before[1] === "cut" && before[0] === step[0];
  const deed = cut ? "cut" : step && step[1]; // a cut returns by itself
  byId("coded").hidden = code.length === 0;
  byId("windowed").hidden = byId("cutting").hidden = byId("cut").hidden = view.run.simulations > 0;
  listCode(code, ([, kinds, events]) => {
    const at = step && data.nodes[step[0]];
    return at && events.split(" ").includes(deed) && (!kinds || kinds.split(" ").includes(at.kind));
  });
  byId("stack").replaceChildren(...[...state.open].map((n) => {
    const [alpha, beta] = state.window[n] || ["", ""];
    return make("li", { textContent: data.nodes[n].name + (alpha ? ` (α = ${alpha}, β = ${beta})` : "") });
  }));
}

const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

function write(group, name, text) {
  const place = group.querySelector(`.${name}`);
  if (place.textContent !== String(text)) place.textContent = text;
}

/** Calls `visit` for a node and everything below it. */
function below(root, visit) {
  visit(root);
  for (const child of data.nodes[root].children) below(child, visit);
}

// ---- Folding: a tidy layout of what is left, children side by side, parents above their middle -------------------

const WIDE = 700; // of a drawing that needs the whole width of the window
const MARGINS = 24; // of the drawing, left and right together
const original = new Map(); // the places that the page was made with

function layout() {
  const count = data.nodes.length;
  const hidden = new Array(count).fill(false);
  data.nodes.forEach((node, n) => { hidden[n] = node.parent !== null && (hidden[node.parent] || folded.has(node.parent)); });
  const shift = new Array(count).fill(0); // of a subtree, within its parent's
  const outline = []; // per subtree: level -> [leftmost, rightmost] reach around its root
  for (let n = count - 1; n >= 0; n--) {
    if (hidden[n]) continue;
    const { children, box, level } = data.nodes[n];
    const shown = folded.has(n) ? [] : children;
    const merged = new Map();
    for (const child of shown) {
      let move = 0;
      for (const [at, [left]] of outline[child]) if (merged.has(at)) move = Math.max(move, merged.get(at)[1] + 6 - left);
      shift[child] = move;
      for (const [at, [left, right]] of outline[child]) {
        const reach = merged.get(at) || [left + move, right + move];
        merged.set(at, [Math.min(reach[0], left + move), Math.max(reach[1], right + move)]);
      }
    }
    const middle = shown.length ? (shift[shown[0]] + shift[shown[shown.length - 1]]) / 2 : 0;
    for (const child of shown) shift[child] -= middle;
    outline[n] = new Map([...merged].map(([at, [left, right]]) => [at, [left - middle, right - middle]]));
    outline[n].set(level, [-box[2], box[3]]);
  }
  const xs = new Array(count).fill(0);
  xs[0] = Math.max(...[...outline[0].values()].map(([left]) => -left));
  data.nodes.forEach((node, n) => { if (n && !hidden[n]) xs[n] = xs[node.parent] + shift[n]; });
  const aside = document.querySelector(".stage > [transform]").transform.baseVal[0].matrix.e; // of the names of who moves
  return { xs, hidden, width: MARGINS + aside + xs[0] + Math.max(...[...outline[0].values()].map(([, right]) => right)) };
}

function place(view) {
  const plain = folded.size === 0;
  const { xs, hidden, width } = plain ? { xs: null, hidden: [], width: original.get("width") } : layout();
  const at = (n) => (plain ? original.get(n) : [xs[n], original.get(n)[1]]);
  view.nodes.forEach((group, n) => {
    group.classList.toggle("gone", Boolean(hidden[n]));
    group.setAttribute("transform", `translate(${at(n).join(" ")})`);
    if (group.hasAttribute("aria-expanded")) group.setAttribute("aria-expanded", String(!folded.has(n)));
  });
  view.edges.forEach((group, n) => {
    group.classList.toggle("gone", Boolean(hidden[n]));
    const parent = data.nodes[n].parent;
    const [x1, y1] = [at(parent)[0], at(parent)[1] + data.nodes[parent].box[1] / 2];
    const [x2, y2] = [at(n)[0], at(n)[1] - data.nodes[n].box[1] / 2];
    const on = (part) => `translate(${x1 + part * (x2 - x1)} ${y1 + part * (y2 - y1)})`;
    setAttributes(group.querySelector("line"), { x1, y1, x2, y2 });
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    group.querySelector(".strike").setAttribute("transform", `${on(0.46)} rotate(${angle})`);
    const label = group.querySelector(".label");
    if (label) label.setAttribute("transform", on(Number(label.dataset.at || 0.66)));
  });
  const [svg, height, room] = [view.figure.querySelector("svg"), original.get("height"), view.figure.querySelector(".scroll").clientWidth];
  const times = Math.max(0.75, Math.min(1.8, room / width)); // fits the room, but stays readable: a large tree is scrolled
  setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, width: width * times, height: height * times });
}

function toggle(n) {
  if (!folded.delete(n)) folded.add(n);
  refold();
}

function refold() {
  views.forEach(place);
  show(now);
}

// ---- The controls ----------------------------------------------------------------------------------------------

const first = byId("first");
const second = byId("second");
second.querySelector(".scroll").append(first.querySelector("svg").cloneNode(true));
const views = [new View(first, 0), new View(second, Math.min(1, data.runs.length - 1))];

function last() {
  return Math.max(...views.filter((view) => !view.figure.hidden).map((view) => view.run.steps.length));
}

function show(count) {
  now = Math.max(0, Math.min(count, last()));
  const [{ state, step }] = views.map((view) => view.show(now));
  placeSlider();
  byId("window").textContent = views[0].run.window || step?.[9] || "";
  listSteps(byId("cuts"), state.cuts);
  byId("uncut").hidden = state.cuts.length > 0;
  tell(views[0], state, step);
  follow(state.now);
}

/** Keeps the node that is looked at in sight. */
function follow(n) {
  for (const view of views) {
    const group = view.nodes[n];
    const frame = view.figure.querySelector(".scroll");
    if (!group || view.figure.hidden || group.classList.contains("gone")) continue;
    const [inner, outer] = [group.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += inner.left - outer.left - outer.width / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}

control({
  cut: () => showNext(views[0].run.steps, ([, event]) => event === "cut"),
  fold: () => { data.nodes.forEach((node, n) => { if (node.children.length && n) folded.add(n); }); refold(); },
  unfold: () => { folded.clear(); refold(); },
}, { c: "cut", C: "cut" });
byId("order").addEventListener("change", (event) => document.body.classList.toggle("ordered", event.target.checked));
byId("intervals").disabled = !data.plain;
byId("intervals").addEventListener("change", () => show(now));
byId("compare").addEventListener("change", (event) => {
  second.hidden = !event.target.checked;
  document.body.classList.toggle("compared", event.target.checked);
  refold();
});

views[0].nodes.forEach((group, n) => original.set(n, /\(([^)]*)\)/.exec(group.getAttribute("transform"))[1].split(" ").map(Number)));
for (const side of ["width", "height"]) original.set(side, Number(first.querySelector("svg").getAttribute(side)));
byId("compare").disabled = data.runs.length < 2;
window.addEventListener("resize", refold);
document.body.classList.toggle("wide", original.get("width") > WIDE);
refold();
