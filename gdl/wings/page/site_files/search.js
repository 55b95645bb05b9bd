"use strict";
// Finds pages by their words: the words stand in search-index.js, so that nothing is asked of a network.

const { root } = document.body.dataset;
const [field, list] = [byId("search"), byId("found")];
byId("contents").open = matchMedia("(min-width: 56rem)").matches;

/** How many letters must be put, left out or exchanged to make one word of another. */
function distance(one, other) {
  let row = [...other, ""].map((_, k) => k);
  for (const [k, letter] of [...one].entries()) {
    const next = [k + 1];
    for (let n = 0; n < other.length; n++) next.push(Math.min(row[n] + Number(letter !== other[n]), row[n + 1] + 1, next[n] + 1));
    row = next;
  }
  return row.at(-1);
}

/** Whether a heading has a word that is spelled much like this one, or begins so. */
function isMisspelled(heading, word) {
  const most = Math.floor(word.length / 4);
  const forms = heading.split(/[^\p{L}\d]+/u).flatMap((each) => [each, each.slice(0, word.length)]);
  return forms.some((form) => distance(word, form) <= most);
}

/** How well a part of a page fits: all words must stand in it, or be much like one of its heading; in its heading they
 * count more. */
function fits(part, words) {
  const [heading, text] = [part.title.toLowerCase(), part.text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (!heading.includes(word) && !text.includes(word)) {
      if (!isMisspelled(heading, word)) return 0;
      score += 1;
      continue;
    }
    score += (heading.includes(word) ? 10 : 0) + Math.min(5, text.split(word).length - 1);
  }
  return score;
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? window.searchIndex.map((part) => [fits(part, words), part]).filter(([score]) => score > 0) : [];
  found.sort((a, b) => b[0] - a[0]);
  list.replaceChildren(...found.slice(0, 12).map(([, part]) => make("li", {}, make("a", { href: root + part.url, textContent: part.title }))));
  if (words.length && !found.length) list.append(make("li", { textContent: "nothing found" }));
}

/** The games of the wall that fit what was chosen and written are shown, the best first. */
function choose() {
  const [form, words] = [byId("choose"), byId("find").value.toLowerCase().split(/\s+/).filter(Boolean)];
  const tiles = [...document.querySelectorAll(".wall > li")].map((/** @type {any} */ tile) => {
    const { kind, players, minutes, about } = tile.dataset;
    const chosen = [[form.elements.kind.value, kind], [form.elements.players.value, players]].every(([wanted, is]) => !wanted || wanted === is);
    const short = !form.elements.minutes.value || (minutes && Number(minutes) <= Number(form.elements.minutes.value));
    const score = words.length ? fits({ title: tile.querySelector("b").textContent, text: about }, words) : 1;
    tile.hidden = !(chosen && short && score > 0);
    return { tile, score };
  });
  const title = ({ tile }) => tile.querySelector("b").textContent;
  tiles.sort((a, b) => b.score - a.score || title(a).localeCompare(title(b)));
  document.querySelector(".wall").append(...tiles.map(({ tile }) => tile));
  byId("none").hidden = tiles.some(({ tile }) => !tile.hidden);
}

byId("choose")?.addEventListener("input", choose);
byId("choose")?.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", search);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
