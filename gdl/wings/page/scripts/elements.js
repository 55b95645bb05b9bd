// Elements of the page that several views make, and the line under the status.
const SVG = "http://www.w3.org/2000/svg";

export const button = (textContent, onclick, className = "") => make("button", { type: "button", textContent, onclick, className });

/** An element of a drawing. */
export function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  setAttributes(made, attributes);
  made.append(...inside);
  return made;
}

/** A drawing of the page by its name, in a square of some size around the middle. */
export const symbol = (name, look = {}, size = 1) => element("use", { href: `#s-${name}`, x: -size / 2, y: -size / 2, width: size, height: size, ...look });

/** A drawing of the page among words. */
export const picture = (name, look = {}) => element("svg", { viewBox: "-0.5 -0.5 1 1", class: "drawing", "aria-hidden": true }, symbol(name, look));

export const text = (written, look) => element("text", { ...look, "aria-hidden": true }, document.createTextNode(written));

/** Say what has just happened, and how the computer found it (in words). */
export function tell(said, how = "") {
  byId("told").textContent = said;
  byId("how").textContent = how;
}
