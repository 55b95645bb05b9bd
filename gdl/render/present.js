"use strict";
// For the scripts of all pages: elements by their names, new ones, and a button that makes all of a page large, for a
// projector; who leaves the full screen makes it small again.
const byId = (id) => document.getElementById(id);

/** An element with some properties, and what stands in it. */
function make(tag, properties, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

/** Each class of an element, by its name, is there where its value holds. */
function setClasses(element, looks) {
  for (const [name, on] of Object.entries(looks)) element.classList.toggle(name, Boolean(on));
}

function setAttributes(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
}

{
  const button = byId("present");
  const present = (on) => {
    document.documentElement.classList.toggle("present", on);
    button.setAttribute("aria-pressed", String(on));
    dispatchEvent(new Event("resize")); // what is drawn by the size of the window is drawn anew
  };
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    present(on);
    (on ? document.documentElement.requestFullscreen?.() : document.fullscreenElement && document.exitFullscreen())?.catch?.(() => {});
  });
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) present(false); });
}
