"use strict";
// Finds pages by their words: the words stand in search-index.js, so that nothing is asked of a network.

const { root } = document.body.dataset;
const [field, list] = [byId("search"), byId("found")];
byId("contents").open = matchMedia("(min-width: 56rem)").matches;

const EACH = 1000; // more than a word brings by where it stands

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

/** How well a word fits a heading: as a word of it, as the beginning of one, spelled nearly so, or inside one; else 0. */
function standsIn(heading, word) {
  const isNear = (form) => distance(word, form) <= Math.floor(word.length / 4);
  const worth = (each) => (each === word ? 20 : each.startsWith(word) ? 15 : isNear(each) || isNear(each.slice(0, word.length)) ? 8 : 0);
  return Math.max([heading, heading.replace(/[^\p{L}\d]+/gu, "")].some((form) => form.includes(word)) ? 6 : 0, ...heading.split(/[^\p{L}\d]+/u).map(worth));
}

/** How well a part of a page fits: EACH for every word that stands in it or in its heading, and there they count more. */
function fits(part, words) {
  const [heading, text] = [part.title.toLowerCase(), part.text.toLowerCase()];
  const worths = words.map((word) => standsIn(heading, word) + Math.min(5, text.split(word).length - 1));
  return worths.reduce((sum, worth) => sum + (worth && EACH + worth), 0);
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = window.searchIndex.map((part) => [fits(part, words), part]).sort((a, b) => b[0] - a[0]);
  const most = ranked[0][0] - (ranked[0][0] % EACH); // where no part has all the words, those with the most of them
  const found = ranked.filter(([score]) => most && score >= most);
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
    const score = fits({ title: tile.querySelector("b").textContent, text: about }, words);
    tile.hidden = !(chosen && short && score >= words.length * EACH);
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
