// The playground: an editor for rules; what is wrong with them as they are written; play, pictures and answers.
import { basicSetup, EditorView } from "codemirror";
import { autocompletion, snippetCompletion } from "@codemirror/autocomplete";
import { StreamLanguage, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { classHighlighter } from "@lezer/highlight";

const words = Object.fromEntries(Object.entries(JSON.parse(byId("words").textContent)).map(([kind, all]) => [kind, new Set(all)]));

const gdl = new Asking("./worker.js");
const ask = (asked) => gdl.ask(asked);

// ---- The editor -----------------------------------------------------------------------------------------------------

const language = StreamLanguage.define({
  name: "game",
  token(stream) {
    const margin = stream.sol();
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^(?:\d+(?:\.\d+)?)/)) return "number";
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)?.[0];
    if (!word) { stream.next(); return null; }
    if (margin && words.sections.has(word)) return "heading";
    const before = stream.string.slice(0, stream.start).trim();
    if (words[before]?.has(word) && !/^ *"/.test(stream.string.slice(stream.pos))) return "keyword";
    if (words.reserved.has(word) || words.statements.has(word)) return "keyword";
    return /^\p{Lu}/u.test(word) ? "typeName" : null;
  },
  languageData: { commentTokens: { line: "#" } },
});

const OPENS = /^(state|setup|action|chance|terminal|notation|evaluate|resolve|before|after|variant)\b|^(matrix|tree)$|^define [^=]*$|^ +(if|else|for)\b/;
const STEP = "    ";

/** Where a new line begins: further in below what opens a body, at the margin below an empty line, else below the last. */
const indenting = indentService.of((context, at) => {
  if (context.simulatedBreak === null) return null;
  const { text } = context.lineAt(at, -1);
  const bare = text.replace(/\s*(#.*)?$/, "");
  return bare ? bare.search(/\S/) + (OPENS.test(bare) ? STEP.length : 0) : 0;
});

async function checked(view) {
  const text = view.state.doc.toString();
  const found = await ask({ ask: "check", text });
  if (found.problem) { tell(found.problem); return []; }
  if (text === view.state.doc.toString()) list(found, view);
  const end = view.state.doc.length;
  return found.problems.map(({ from, to, warning, code, message }) => ({
    from: Math.min(from, end), to: Math.min(to, end), severity: warning ? "warning" : "error", message: code ? `${message}  [${code}]` : message,
  }));
}

async function offered(context) {
  const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
  if (!word && !context.explicit) return null;
  const { from, offers } = await ask({ ask: "complete", text: context.state.doc.toString(), at: context.pos });
  return { from, options: offers.map(({ snippet, ...offer }) => (snippet ? snippetCompletion(snippet, offer) : offer)), validFor: /^[\p{L}\p{N}_]*$/u };
}

/** The problems as a list below, for who cannot point at them. */
function list({ problems, name }, view) {
  byId("problems").replaceChildren(...problems.map(({ from, to, warning, message }) => {
    const textContent = `line ${view.state.doc.lineAt(Math.min(from, view.state.doc.length)).number}: ${message}`;
    const onclick = () => { view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true }); view.focus(); };
    return make("li", {}, make("button", { type: "button", className: warning ? "warning" : "error", textContent, onclick }));
  }));
  for (const id of ["play", "draw", "solve"]) byId(id).disabled = !name;
  if (!working) tell(name ? `${name}: nothing is wrong.` : "");
}

const editor = new EditorView({
  parent: byId("write"),
  doc: byId("first").textContent.trimStart(),
  extensions: [basicSetup, language, indenting, indentUnit.of(STEP), EditorView.updateListener.of(markStale), syntaxHighlighting(classHighlighter), linter(checked, { delay: 300 }), autocompletion({ override: [offered] }),
    EditorView.cspNonce.of("editor"), EditorView.contentAttributes.of({ "aria-label": "The rules of the game" }), EditorView.lineWrapping],
});

const text = () => editor.state.doc.toString();
const write = (made) => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: made } });

// ---- What is made of it -----------------------------------------------------------------------------------------------

let working = false;

let made = null; // the rules of what is shown

/** What is shown stands back where its rules are no longer those that are written. */
function markStale() {
  const stale = made !== null && made !== text();
  byId("shown").classList.toggle("stale", stale);
  byId("stale").hidden = !stale;
}

function tell(said) {
  byId("told").textContent = said;
}

async function show(what) {
  working = true;
  byId("stop").hidden = false;
  tell("Working …");
  const asked = text();
  const found = await ask({ ask: what, text: asked });
  made = asked;
  markStale();
  byId("stop").hidden = true;
  working = false;
  tell("");
  byId("shown").replaceChildren(found.problem || found.text ? block(found.problem ?? found.text) : what === "play" ? frame(found.html) : make("div", { innerHTML: found.html }));
  resize();
}

const block = (textContent) => make("pre", { textContent });

function frame(html) {
  const src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  return make("iframe", { title: "The game", sandbox: "allow-scripts", src }); // the rules may be a stranger's
}

/** A drawing is as large as its letters ask for, or as is wished. */
function resize() {
  const drawn = byId("shown").querySelector("svg");
  byId("zoom").hidden = !drawn;
  if (drawn) drawn.style.width = `${Number(drawn.getAttribute("width")) * byId("size").value}px`;
}

byId("size").addEventListener("input", resize);
for (const what of ["play", "draw", "solve"]) byId(what).addEventListener("click", () => show(what));
byId("stop").addEventListener("click", () => { gdl.stop(); gdl.start(); });

// ---- The link: the text, deflated ---------------------------------------------------------------------------------------

const MOST = Number(document.body.dataset.most);  // bytes of a game
const PIECE = 512;  // bytes that are unpacked at once, at most a thousand times as many

/** What a stream makes of the bytes. Ends with a RangeError as soon as that is more than a game can be. */
async function through(stream, bytes) {
  let at = 0;
  const pull = (to) => { if (at < bytes.length) to.enqueue(bytes.slice(at, at += PIECE)); else to.close(); };
  const reader = new ReadableStream({ pull }).pipeThrough(stream).getReader();
  const made = [];
  for (let left = MOST; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(made).arrayBuffer());
    left -= value.length;
    if (left < 0) { reader.cancel(); throw new RangeError(); }
    made.push(value);
  }
}

async function link() {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text()));
  const letters = btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.href.split("#")[0]}#${letters}`;
}

async function fromLink() {
  const letters = location.hash.slice(1);
  if (!letters) return;
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    write(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed)));
  } catch (wrong) {
    const most = `The link holds more than a game can be: ${MOST.toLocaleString("en")} bytes.`;
    byId("shown").replaceChildren(block(wrong instanceof RangeError ? most : "The link holds no rules."));
  }
}

byId("share").addEventListener("click", async () => {
  const made = await link();
  history.replaceState(null, "", made);
  navigator.clipboard?.writeText(made).then(() => tell("The link is copied: it opens these rules."), () => tell("The link stands in the address bar."));
});
window.addEventListener("hashchange", fromLink);

byId("games").addEventListener("change", async (event) => {
  const { value } = event.target;
  if (value) write((await ask({ ask: "game", name: value })).text);
});

gdl.start();
tell("Python is starting …");
await fromLink();
const { games, problem } = await ask({ ask: "games" });
if (problem) tell(problem);
for (const name of games ?? []) byId("games").add(new Option(name.replaceAll("_", " "), name));

/** For programs and tests. */
window.playground = { text, write, ask, link, show };
