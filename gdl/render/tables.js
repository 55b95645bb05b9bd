// Works a table of plans out step by step; see gdl/render/worked_page.py. controls.js stands before this.

const all = (selector) => [...document.querySelectorAll(selector)];
const run = () => data[byId("way").value];
const last = () => run().steps.length;

function show(count) {
  now = Math.max(0, Math.min(count, last()));
  const done = run().steps.slice(0, now);
  const step = done[now - 1] ?? {};
  const until = (name) => new Set(done.flatMap((each) => each[name] ?? []));
  const [replies, gone, boxed] = [until("replies"), until("gone"), until("boxed")];
  const underlined = new Set([...replies].map(([cell, seat]) => `${cell}/${seat}`));
  const [seen, used, weights] = [new Set(step.seen), new Set(step.used), step.weights ?? {}];
  const lost = (cell) => cell.split(",").some((plan, player) => gone.has(`${player},${plan}`));
  for (const cell of all("[data-cell]")) {
    const at = cell.dataset.cell;
    setClasses(cell, { equilibrium: boxed.has(at), seen: seen.has(at), struck: lost(at) });
    for (const number of cell.children) number.classList.toggle("reply", underlined.has(`${at}/${number.dataset.seat}`));
  }
  for (const each of all("[data-plan]")) setClasses(each, { struck: gone.has(each.dataset.plan), used: used.has(each.dataset.plan) });
  for (const weight of all("[data-weight]")) weight.textContent = weights[weight.dataset.weight] ?? "";
  document.querySelector(".said").textContent = step.said ?? "Before the first step: the right arrow key goes on.";
  byId("why").replaceChildren(...(step.why ?? []).map((textContent) => make("li", { textContent })));
  listCode(run().code, ([, , events]) => step.event && events.split(" ").includes(step.event));
  const found = done.flatMap((each, at) => (each.found ? [[at + 1, each.found]] : []));
  listSteps(byId("found"), found);
  byId("none").hidden = found.length > 0;
  placeSlider();
}

data.forEach(({ name }, number) => byId("way").add(new Option(name, number)));
byId("way").addEventListener("change", () => show(0));
control({ equilibrium: () => showNext(run().steps, (step) => step.found) }, { e: "equilibrium", E: "equilibrium" });
show(now);
