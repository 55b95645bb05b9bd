// As much of a browser as the page needs, for Node: documents without a layout, but for squares of boards, which have
// places. A page is opened, clicked and opened again; what it does is the same, how it looks is not asked here.
"use strict";
const vm = require("vm");
const { Worker: Thread } = require("worker_threads");

const VOID = new Set(["meta", "input", "br", "link", "img", "hr"]);
const REFLECTED = { id: "id", className: "class", title: "title", type: "type", ariaLabel: "aria-label", ariaPressed: "aria-pressed", role: "role", htmlFor: "for" };
const TEXTS = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'", "#39": "'" };
const SIDE = 40; // of a square, in pixels

const unescaped = (text) => text.replace(/&(\w+|#\w+);/g, (whole, name) => TEXTS[name] ?? whole);

const tests = new Map();

/** Whether an element fits a selector, as a function. */
function compiled(selector) {
  if (!tests.has(selector)) {
    const some = selector.split(/,(?![^(]*\))/).map((each) => each.trim().split(/\s+(?![^([]*[)\]])/).map((word) => (word === ">" ? null : simple(word))));
    tests.set(selector, (element) => some.some((words) => fits(element, words, words.length - 1)));
  }
  return tests.get(selector);
}

function fits(element, words, last) {
  if (!words[last](element)) return false;
  if (!last) return true;
  if (words[last - 1] === null) return element.parentElement !== null && fits(element.parentElement, words, last - 2);
  for (let each = element.parentElement; each; each = each.parentElement) if (fits(each, words, last - 1)) return true;
  return false;
}

function simple(word) {
  const parts = word.match(/:(?:not|has|is)\([^)]*\)|\[[^\]]*\]|:[\w-]+|[.#]?[\w-]+|\*/g).map(onePart);
  return (element) => parts.every((part) => part(element));
}

function onePart(part) {
  const inside = part.slice(part.indexOf("(") + 1, -1);
  if (part === "*") return () => true;
  if (part[0] === "#") return (element) => element.id === part.slice(1);
  if (part[0] === ".") return (element) => element.classes.has(part.slice(1));
  if (part.startsWith(":not(")) return (element) => !compiled(inside)(element);
  if (part.startsWith(":is(")) return compiled(inside);
  if (part.startsWith(":has(")) return (element) => element.querySelector(inside) !== null;
  if (part === ":enabled") return (element) => !element.disabled;
  if (part[0] !== "[") return (element) => element.local === part;
  const [, name, wanted] = /^\[([\w-]+)(?:="([^"]*)")?\]$/.exec(part);
  return (element) => element.hasAttribute(name) && (wanted === undefined || element.getAttribute(name) === wanted);
}

class SmallEvent {
  constructor(type, init = {}) {
    Object.assign(this, { bubbles: false, cancelable: false, key: "", button: 0, ctrlKey: false, altKey: false, metaKey: false, clientX: 0, clientY: 0 }, init, { type, defaultPrevented: false });
  }
  preventDefault() { this.defaultPrevented = true; }
  stopPropagation() { this.stopped = true; }
}

class Target {
  listeners = {};
  replaceWith(node) {
    const { parent } = this;
    node.remove();
    parent.childNodes.splice(parent.childNodes.indexOf(this), 1, node);
    [node.parent, this.parent] = [parent, null];
  }
  addEventListener(type, act) { (this.listeners[type] ??= new Set()).add(act); }
  removeEventListener(type, act) { this.listeners[type]?.delete(act); }
  dispatchEvent(event) {
    event.target ??= this;
    for (let each = this; each && !event.stopped; each = event.bubbles || each === this ? each.parent ?? null : null) {
      each[`on${event.type}`]?.(event);
      for (const act of [...(each.listeners[event.type] ?? [])]) act(event);
      if (!event.bubbles) break;
    }
    return !event.defaultPrevented;
  }
}

class Text extends Target {
  parent = null;
  constructor(text) { super(); this.textContent = String(text); }
  get parentElement() { return this.parent; }
  cloneNode() { return new Text(this.textContent); }
  remove() { if (this.parent) this.parent.childNodes.splice(this.parent.childNodes.indexOf(this), 1); this.parent = null; }
}

class Element extends Target {
  parent = null; childNodes = []; attributes = new Map(); style = {}; checkedNow = null; valueNow = null;
  scrollTop = 0; offsetTop = 0; clientHeight = 0; offsetWidth = 0; files = [];

  constructor(document, tag) {
    super();
    this.ownerDocument = document;
    this.local = tag.toLowerCase();
    this.tagName = tag.toUpperCase();
    this.dataset = new Proxy({}, { get: (_, name) => this.getAttribute(`data-${name}`) ?? undefined, set: (_, name, value) => { this.setAttribute(`data-${name}`, value); return true; } });
    this.classList = {
      contains: (name) => this.classes.has(name),
      add: (...names) => names.forEach((name) => this.classList.toggle(name, true)),
      remove: (...names) => names.forEach((name) => this.classList.toggle(name, false)),
      toggle: (name, on = !this.classes.has(name)) => {
        const all = new Set(this.classes);
        if (on) all.add(name); else all.delete(name);
        this.className = [...all].join(" ");
      },
    };
  }

  get classes() {
    if (this.classesOf !== this.className) [this.classesOf, this.classesNow] = [this.className, new Set(this.className.split(/\s+/).filter(Boolean))];
    return this.classesNow;
  }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name === "id") this.ownerDocument.named.set(String(value), this);
  }
  removeAttribute(name) { this.attributes.delete(name); }
  hasAttribute(name) { return this.attributes.has(name); }

  get hidden() { return this.hasAttribute("hidden"); }
  set hidden(on) { if (on) this.setAttribute("hidden", ""); else this.removeAttribute("hidden"); }
  get disabled() { return this.hasAttribute("disabled"); }
  set disabled(on) { if (on) this.setAttribute("disabled", ""); else this.removeAttribute("disabled"); }
  get open() { return this.hasAttribute("open"); }
  set open(on) { if (on) this.setAttribute("open", ""); else this.removeAttribute("open"); }
  get checked() { return this.checkedNow ?? this.hasAttribute("checked"); }
  set checked(on) { this.checkedNow = Boolean(on); }
  get options() { return this.querySelectorAll("option"); }
  get selected() { return this.options.find((each) => each.hasAttribute("selected")) ?? this.options[0]; }
  get value() { return this.local === "option" ? this.getAttribute("value") ?? this.textContent : this.valueNow ?? (this.local === "select" ? this.selected?.value ?? "" : this.getAttribute("value") ?? ""); }
  set value(value) { if (this.local === "option") this.setAttribute("value", value); else this.valueNow = String(value); }

  get parentElement() { return this.parent instanceof Element ? this.parent : null; }
  get children() { return this.childNodes.filter((each) => each instanceof Element); }
  get childElementCount() { return this.children.length; }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get ownerSVGElement() { return this.closest("svg"); }
  get isConnected() { return this.ownerDocument.documentElement === this || Boolean(this.parent?.isConnected); }
  get textContent() { return this.childNodes.map((each) => each.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" || text === null ? [] : [text])); }

  append(...inside) {
    for (const each of inside) {
      const node = each instanceof Element || each instanceof Text ? each : new Text(each);
      node.remove();
      node.parent = this;
      this.childNodes.push(node);
    }
  }

  replaceChildren(...inside) {
    for (const each of [...this.childNodes]) each.remove();
    this.append(...inside);
  }

  remove() {
    if (this.parent) this.parent.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
    this.parent = null;
  }

  cloneNode() {
    const made = new Element(this.ownerDocument, this.local);
    for (const [name, value] of this.attributes) made.setAttribute(name, value);
    made.append(...this.childNodes.map((each) => each.cloneNode(true)));
    return made;
  }

  /** All elements below this one, in their order. */
  below(found = []) {
    for (const each of this.childNodes) {
      if (!(each instanceof Element)) continue;
      found.push(each);
      each.below(found);
    }
    return found;
  }

  matches(selector) { return compiled(selector)(this); }
  querySelectorAll(selector) { return this.below().filter(compiled(selector)); }
  querySelector(selector) { return this.below().find(compiled(selector)) ?? null; }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null; }

  /** Squares have places by their transform, each board far from the others; nothing else has one. */
  getBoundingClientRect() {
    const at = /^(\d+) /.exec(this.getAttribute("data-at") ?? "");
    const moved = /^translate\((\S+) (\S+)\)/.exec(this.getAttribute("transform") ?? "");
    if (!at || !moved) return { x: 0, y: 0, width: 0, height: 0, top: 0, left: 0, bottom: 0, right: 0 };
    const [x, y] = [SIDE * (Number(moved[1]) + 100 * (1 + Number(at[1]))), SIDE * (Number(moved[2]) + 100)];
    return { x, y, left: x, top: y, width: SIDE * 0.9, height: SIDE * 0.9, right: x + SIDE * 0.9, bottom: y + SIDE * 0.9 };
  }

  getScreenCTM() { return { inverse: () => null }; }
  scrollIntoView() {}

  focus() {
    if (this.disabled || !this.isConnected) return;
    this.ownerDocument.focused = this;
    this.dispatchEvent(new SmallEvent("focus"));
  }

  click() {
    if (this.disabled) return;
    if (this.local === "input" && this.type === "checkbox") this.checked = !this.checked;
    this.dispatchEvent(new SmallEvent("click", { bubbles: true, cancelable: true }));
    if (this.local === "input" && this.type === "checkbox") this.dispatchEvent(new SmallEvent("change", { bubbles: true }));
    if (this.local === "summary") this.parentElement.open = !this.parentElement.open;
  }

  showModal() { this.open = true; }
  close() { this.open = false; }

  requestSubmit() { this.dispatchEvent(new SmallEvent("submit", { bubbles: true, cancelable: true })); }
}

for (const [property, name] of Object.entries(REFLECTED)) {
  Object.defineProperty(Element.prototype, property, { get() { return this.getAttribute(name) ?? ""; }, set(value) { this.setAttribute(name, value); } });
}

class Document extends Target {
  focused = null; named = new Map();
  constructor(html, window) {
    super();
    this.parent = window;
    this.documentElement = new Element(this, "html");
    this.documentElement.parent = this;
    this.read(html);
  }

  get isConnected() { return true; }
  get body() { return this.documentElement.children.find(({ local }) => local === "body"); }
  get activeElement() { return this.focused?.isConnected ? this.focused : this.body; }
  createElement(tag) { return new Element(this, tag); }
  createElementNS(_, tag) { return new Element(this, tag); }
  createTextNode(text) { return new Text(text); }
  getElementById(id) { const found = this.named.get(id); return found?.isConnected ? found : null; }
  querySelector(selector) { return this.documentElement.querySelector(selector); }
  querySelectorAll(selector) { return this.documentElement.querySelectorAll(selector); }
  execCommand() { return true; }
  elementFromPoint(x, y) {
    return this.querySelectorAll(".square").find((each) => { const { left, top, right, bottom } = each.getBoundingClientRect(); return left <= x && x < right && top <= y && y < bottom; }) ?? null;
  }

  read(html) {
    let [here, at] = [this.documentElement, 0];
    const tags = /<!--[^]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>/gi;
    for (let found; (found = tags.exec(html)); ) {
      const [whole, closing, tag, written, empty] = found;
      if (found.index > at) here.append(new Text(unescaped(html.slice(at, found.index))));
      at = tags.lastIndex;
      if (!tag || tag.toLowerCase() === "html") {
        for (const [, name, value] of (written ?? "").matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) this.documentElement.setAttribute(name, value ?? "");
        continue;
      }
      if (closing) { while (here.local !== tag.toLowerCase()) here = here.parentElement; here = here.parentElement ?? here; continue; }
      const made = new Element(this, tag);
      for (const [, name, value] of written.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) made.setAttribute(name, unescaped(value ?? ""));
      here.append(made);
      if (["script", "style"].includes(made.local)) {
        const end = html.indexOf(`</${made.local}>`, at);
        made.append(new Text(html.slice(at, end)));
        at = tags.lastIndex = end + made.local.length + 3;
      } else if (!empty && !VOID.has(made.local)) here = made;
      void whole;
    }
  }
}

const THREAD = `const { parentPort } = require("worker_threads");
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  parentPort.on("message", (data) => globalThis.onmessage({ data }));
  (0, eval)(require("worker_threads").workerData.replace("onmessage =", "globalThis.onmessage ="));`;

/** Workers of the page, each a thread that is given the code of a blob. */
function workers(fault) {
  const made = new Set();
  class SmallWorker {
    onmessage = null;
    constructor(blob) {
      made.add(this);
      this.thread = blob.text().then((code) => {
        const thread = new Thread(THREAD, { eval: true, workerData: code });
        thread.on("message", (data) => { if (made.has(this)) this.onmessage?.({ data }); });
        thread.on("error", (error) => fault(`a worker: ${error.stack}`));
        return thread;
      });
    }
    postMessage(data) { this.thread.then((thread) => thread.postMessage(data)); }
    terminate() { made.delete(this); this.thread.then((thread) => thread.terminate()); }
  }
  return { SmallWorker, end: () => [...made].forEach((each) => each.terminate()) };
}

/** A page opened at an address, with what a session keeps over a reload; `told` hears what the page posts, `fault` what
 * goes wrong. It is left by `end`, after which nothing of it acts. */
function openPage(html, { hash = "", session = {}, told, fault, reloaded, width = 1200, height = 900 }) {
  const window = new Target();
  const document = new Document(html, window);
  const timers = new Set();
  const { SmallWorker, end } = workers(fault);
  const location = {
    hash, reload: () => { page.end(); reloaded(location.hash); },
    get href() { return `file:///page.html${this.hash}`; },
  };
  const timed = (act, milliseconds) => { const timer = setTimeout(() => { timers.delete(timer); try { act(); } catch (error) { fault(error.stack); } }, milliseconds); timers.add(timer); return timer; };
  const toAddress = (_, __, address) => { if (address.includes("#")) location.hash = address.slice(address.indexOf("#")).replace(/^#$/, ""); };
  const stored = new Proxy(session, { get: (all, name) => all[name], set: (all, name, value) => { all[name] = String(value); return true; } });
  Object.assign(window, {
    document, location, console: { ...console, error: (...words) => fault(words.join(" ")) }, setTimeout: timed, clearTimeout, performance, atob, btoa, Blob, Response, DecompressionStream, TextEncoder,
    history: { replaceState: toAddress, pushState: toAddress, back() {} }, navigator: { hardwareConcurrency: 2 }, sessionStorage: stored, innerWidth: width, innerHeight: height,
    URL: { createObjectURL: (blob) => blob }, Worker: SmallWorker, Event: SmallEvent, MouseEvent: SmallEvent, PointerEvent: SmallEvent, KeyboardEvent: SmallEvent, DragEvent: SmallEvent,
    DOMPoint: class { constructor(x, y) { Object.assign(this, { x, y }); } matrixTransform() { return this; } },
    Option: function Option(text = "", value = undefined) { const made = new Element(document, "option"); made.textContent = text; if (value !== undefined) made.setAttribute("value", value); return made; },
    getSelection: () => ({ selectAllChildren() {} }), matchMedia: () => ({ matches: true, addEventListener() {} }), requestAnimationFrame: (act) => timed(act, 16),
    fetch: (_, { body }) => { page.end(); told(JSON.parse(body)); },
    addEventListener: window.addEventListener.bind(window), removeEventListener: window.removeEventListener.bind(window), dispatchEvent: window.dispatchEvent.bind(window),
  });
  window.window = window;
  const page = { window, document, end() { end(); timers.forEach(clearTimeout); window.setTimeout = () => 0; } };
  const context = vm.createContext(window);
  for (const script of document.querySelectorAll("script")) {
    const code = script.textContent;
    if (script.type === "module") vm.runInContext(`(async () => {${code}\n})()`, context).catch((error) => fault(error.stack));
    else if (!script.type) vm.runInContext(code, context);
  }
  return page;
}

module.exports = { openPage };
