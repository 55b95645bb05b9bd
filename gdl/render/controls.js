"use strict";
// Goes from step to step by buttons, a slider, keys and the address. The script after this one says what is shown:
// `show(count)`, which sets `now`, and `last()`.

const data = JSON.parse(document.getElementById("data").textContent);
let now = 0;
let playing = null;

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => { if (now >= last()) play(false); else show(now + 1); }, 900) : null;
  byId("play").textContent = on ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(on));
}

/** Buttons and keys do their deeds, those of every page and these. */
function control(more, letters) {
  const deeds = {
    start: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    end: () => show(last()),
    play: () => play(!playing),
    print: () => window.print(),
    ...more,
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end", " ": "play", ...letters };
  for (const [id, deed] of Object.entries(deeds)) byId(id).addEventListener("click", deed);
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  byId("more").addEventListener("click", (event) => {
    const open = document.body.classList.toggle("more");
    event.target.setAttribute("aria-expanded", String(open));
  });
  document.addEventListener("keydown", (event) => {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || tag === "SELECT" || tag === "INPUT" && event.target.type === "range") return;
    if (event.key === " " && (tag === "BUTTON" || tag === "INPUT" || tag === "SUMMARY")) return;
    const deed = keys[event.key];
    if (deed) { event.preventDefault(); deeds[deed](); }
  });
  now = Number(location.hash.slice(1) || 1) || 0; // page.html#12 begins at step 12, page.html at step 1
  window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
}

/** Goes to where the next step of a kind is done, or to the end. */
function showNext(steps, isWanted) {
  const found = steps.findIndex((step, at) => at >= now && isWanted(step));
  show(found < 0 ? last() : found + 1);
}

/** The slider and the words beside it. */
function placeSlider() {
  byId("slider").max = last();
  byId("slider").value = now;
  byId("step").textContent = `${now} / ${last()}${now < Math.min(2, last()) ? " · press →" : ""}`;
}

/** Lines of pseudo-code as a list, those lit for which `isLit` of the line holds. */
function listCode(code, isLit) {
  byId("code").replaceChildren(...code.map((line) => {
    const [text] = line;
    const indent = text.length - text.trimStart().length;
    const item = make("li", { textContent: text.trimStart() });
    item.style.paddingLeft = `${indent / 2 + 2}ch`; // what does not fit goes on below, further in
    item.style.textIndent = "-2ch";
    if (isLit(line)) item.setAttribute("aria-current", "step");
    return item;
  }));
}

/** Buttons in a list that go to steps: [step, text], … */
function listSteps(list, steps) {
  const button = ([step, textContent]) => make("button", { type: "button", textContent, onclick: () => show(step) });
  list.replaceChildren(...steps.map((step) => make("li", {}, button(step))));
}
