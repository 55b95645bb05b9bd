// The play so far: its moves, variations and comments, and the ways from one position to another.
import { deduced } from "./deduced.js";
import { button, tell } from "./elements.js";
import { linkTo } from "./link.js";
import { Part } from "./play.js";
import { actInWords, sentence, spoken, withCards } from "./words.js";

export class Log extends Part {
  said = null; // the position up to which all was said

  constructor(play) {
    super(play);
    byId("study").hidden = this.data.hidden;
    const ways = {
      ArrowLeft: () => play.earlier(),
      ArrowRight: () => play.at.children[0],
      ArrowUp: () => this.beside(-1),
      ArrowDown: () => this.beside(1),
      Home: () => play.earlier(true),
      End: () => play.wholeLine().pop(),
    };
    for (const [id, way] of [["first", "Home"], ["previous", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"]]) {
      byId(id).addEventListener("click", () => this.visit(ways[way]()));
    }
    document.addEventListener("keydown", (event) => {
      const free = !event.target.closest("input, select, textarea, summary, pre, dialog") && !event.ctrlKey && !event.altKey && !event.metaKey;
      if (!free || this.data.hidden || !ways[event.key]) return;
      event.preventDefault();
      this.visit(ways[event.key]());
    });
    byId("comment").addEventListener("input", () => { play.at.comment = byId("comment").value; this.show(); history.replaceState(null, "", `#${linkTo(play)}`); });
  }

  visit(place) {
    tell("");
    this.play.visit(place);
  }

  show() {
    this.announce();
    byId("comment").disabled = !this.play.at.parent;
    if (document.activeElement !== byId("comment")) byId("comment").value = this.play.at.comment;
    byId("log").replaceChildren(...(this.play.isCurtained() ? [] : this.data.hidden ? this.saidOf(this.play.path()).map((said) => make("li", { textContent: said || this.play.say("chance") })) : this.mainLine(this.play.start)));
    const log = byId("log");
    const now = log.querySelector("[aria-current]");
    log.scrollTop = now ? now.offsetTop - log.offsetTop - log.clientHeight / 2 : log.scrollHeight;
  }

  /** The moves that follow on a line, each with the variations to it. */
  *plyParts(start) {
    let here = start;
    for (let next; (next = this.play.following(here)); here = next) yield { place: next, parts: this.moved(next), others: here.children.slice(1) };
    if (here.anew) yield { place: here, parts: [], others: here.children };
  }

  /** The main line: a part for each move with what chance did before it, or after it where a player began, and of two players
   * for what one of them did in a row; where two players take turns a row for a part of both, else a row for each. */
  mainLine(start) {
    const plies = [...this.plyParts(start)].map((ply) => ({ ...ply, acts: ply.place.who !== null && ply.parts.length > 0 }));
    const owners = plies.flatMap(({ acts, place }) => (acts ? [place.who] : []));
    const turns = this.game.players.length === 2 && (plies[0]?.acts || owners.every((who, k) => !k || who !== owners[k - 1]));
    const rows = [];
    let [part, count, last] = [null, 0, null];
    plies.forEach(({ parts, others, acts, place }, k) => {
      const begins = plies[0].acts ? acts && (!turns || place.who !== last) : !k || plies[k - 1].acts;
      if (acts) last = place.who;
      if (begins) {
        if (!turns || count++ % 2 === 0) rows.push(make("li", { className: turns ? "round" : "" }));
        rows.at(-1).append((part = make("span")));
      }
      part.append(...parts);
      if (others.length) rows.at(-1).append(this.variations(others));
    });
    return rows;
  }

  /** Other ways on, which unfold; open where the present position is one of them. */
  variations(starts) {
    const list = make("ul", {}, ...starts.map((start) => make("li", {}, ...this.moved(start), ...[...this.plyParts(start)].flatMap(({ parts, others }) => [" ", ...parts, ...(others.length ? [this.variations(others)] : [])]))));
    const open = starts.some((start) => this.play.path().includes(start));
    return make("details", { open }, make("summary", { textContent: this.play.say(starts.length > 1 ? "{0} variations" : "a variation", starts.length) }), list);
  }

  /** A move as a button that leads to it, with its mark and its comment. */
  moved(place) {
    const visited = () => { this.visit(place); byId("log").querySelector("[aria-current]")?.focus(); };
    const words = Array.isArray(place.name) || place.who === null ? "" : sentence(this.play, place.who, place.name);
    const made = button((words || (typeof place.name === "string" ? spoken(this.play, place.name, place.parent) : String(place.name))) + (place.mark ? ` ${place.mark}` : ""), visited, { "": "", "??": "blunder" }[place.mark] ?? "doubtful");
    if (place === this.play.at) made.setAttribute("aria-current", "step");
    if (place.who !== null && !words) made.title = actInWords(this.play, place.who, place.name, place.parent);
    return [made, make("span", { className: "comment", textContent: place.comment ? ` ${place.comment}` : "" })];
  }

  /** What of a ply the viewer knows: what they did, what they can tell of others, what they were told; "" where that is
   * nothing. */
  heard(place) {
    const [{ viewer }, { who, events }] = [this.play, place];
    const name = this.data.hidden ? deduced(this.play, place, viewer) : place.name;
    const acts = Array.isArray(name) ? [...name.entries()].filter(([, each]) => each !== null) : name === null ? [] : [[who, name]];
    const done = acts.map(([player, each]) => this.game.done(player ?? -1, each));
    const heard = this.data.hidden ? events.filter(([hearer, text]) => (hearer === null || hearer === viewer) && !done.includes(text)).map(([, text]) => withCards(this.game, text)) : [];
    const told = acts.map(([player, each]) => actInWords(this.play, player, each, place.parent));
    const isNew = (text) => !told.some((each) => ` ${each} `.includes(` ${text} `)); // a bid that is told once need not be called out
    return [...told, ...heard.filter(isNew).map((text) => `“${text}”`)].join(", ");
  }

  /** What is said of plies: a sentence for each, one for all that chance does in a row; "" where nothing is known of that. */
  saidOf(places) {
    const [{ play }, lines] = [this, []];
    let drawn = false; // by chance, up to here
    for (const place of places) {
      const before = drawn;
      drawn = place.who === null && !Array.isArray(place.name);
      if (!before || !drawn) lines.push([]);
      const heard = this.heard(place) || (place.who === null ? "" : play.say("{0} acts", this.game.players[place.who]));
      const worth = play.thought?.name === place.name ? play.thought.worth : "";
      if (heard) lines.at(-1).push((lines.at(-1).length ? heard.replace(`${play.say("chance")}: `, "") : heard) + worth);
    }
    return lines.map((line) => line.join(", ").replace(/^\p{Ll}/u, (first) => first.toUpperCase()));
  }

  /** Say what was done since the last look, and what the computer thinks of its own move. */
  announce() {
    const { play } = this;
    if (this.said === play.at || play.isCurtained()) return;
    const line = play.path();
    const plies = this.said && (line.includes(this.said) || !this.said.parent) ? line.slice(line.indexOf(this.said) + 1) : [];
    this.said = play.at;
    const told = this.saidOf(plies).filter(Boolean);
    if (told.length) tell(`${told.join(". ")}.`, play.thought?.how);
    play.thought = null;
  }

  /** Another variation beside the present one. */
  beside(step) {
    const others = this.play.at.parent?.children ?? [];
    return others[others.indexOf(this.play.at) + step];
  }
}
