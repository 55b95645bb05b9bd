"use strict";
// Finds pages by their words: the words stand in search-index.js, so that nothing is asked of a network.

const { root } = document.body.dataset;
const [field, list] = [byId("search"), byId("found")];
byId("contents").open = matchMedia("(min-width: 56rem)").matches;

/** How well a part of a page fits: all words must stand in it; in its heading they count more. */
function fits(part, words) {
  const [heading, text] = [part.title.toLowerCase(), part.text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (!heading.includes(word) && !text.includes(word)) return 0;
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

field.addEventListener("input", search);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
