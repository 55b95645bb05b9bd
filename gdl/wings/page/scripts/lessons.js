// How to play: what the file says of the game, each kind of action on a small board of its own, where it can be tried, and
// how play ends.
import { Boards } from "./board.js";
import { button } from "./elements.js";
import { Motion } from "./motion.js";
import { Part, Play } from "./play.js";
import { Squares } from "./squares.js";
import { Things, stone } from "./things.js";
import { actInWords, spoken, turnInWords } from "./words.js";

const [MOST_ROWS_READ, MOST_PLIES, PLIES] = [24_000, 70, 4]; // of plays at random; the last before an example, so that something stands there
const MOST_WAYS = 8; // buttons of an example

/** The number of the rule by which an action is done. */
function ruleOf(game, state, row) {
  game.list(state);
  return game.move[row * game.told.wide];
}

/** For each rule of actions the names that lead to where it can be followed, as plays at random find it; null for others. */
function findExamples(game) {
  const found = game.told.acts.map(() => null);
  let [left, seed] = [MOST_ROWS_READ, 1];
  const random = (some) => some[(seed = (seed * 48271) % 2147483647) % some.length];
  while (left > 0 && found.includes(null)) {
    for (let [state, names] = [game.initial(), []]; left > 0 && names.length < MOST_PLIES; ) {
      const node = game.node(state);
      if (node.kind === "end") break;
      const own = node.kind === "everyone" ? node.options.find((each) => each.length) : node.options ?? [];
      for (const { row } of own) {
        const rule = ruleOf(game, state, row);
        if (!found[rule] || found[rule].length < PLIES) found[rule] = [...names];
      }
      const unseen = own.filter(({ row }) => found[ruleOf(game, state, row)].length >= names.length);
      const name = node.kind === "everyone" ? node.options.map((each) => (each.length ? random(each).name : null)) : random(node.outcomes ?? (unseen.length ? unseen : own)).name;
      left -= (node.outcomes ?? node.options.flat()).length;
      state = game.next(state, game.choice(node, name));
      names.push(name);
    }
  }
  return found;
}

/** A play that stands where a rule can be followed, and goes one action on. */
class Example extends Play {
  first; rule; own; // the position, the number of the rule, and who follows it

  constructor(play, names, rule) {
    super(play.data, play.game);
    for (const name of names) this.push(name);
    Object.assign(this, { first: this.at, rule, latin: play.latin, seated: this.game.players.map(() => "person"), shortFor: play.shortFor });
    this.own = this.mover();
  }

  options() { return this.at === this.first ? super.options().filter(({ row }) => ruleOf(this.game, this.state, row) === this.rule) : []; }
  side() { return this.data.hidden ? this.own : null; }
  below() { return this.own ?? 0; }
  isCurtained() { return false; }
  lastMade() { return this.at === this.first ? null : super.lastMade(); }

  /** Of those who act at once the others do anything. */
  go(name) {
    if (this.node.kind !== "everyone") return super.go(name);
    this.push(this.node.options.map((all, p) => (p === this.own ? name : all[0]?.name ?? null)));
    this.settle();
    return true;
  }

  /** Go on by one of the actions, or back to before it. */
  demonstrate() {
    if (this.at === this.first) { this.go(this.options()[this.options().length >> 1].name); return; }
    this.stand(this.first);
    this.settle();
  }
}

/** An example as it is shown: what to do, the boards and all else that lies there, and what was done. */
class Lesson {
  told = make("p", { className: "said", ariaLive: "polite" }); // what to do, and what was done
  beside = make("div");
  table = make("div", { className: "row" });
  ways = make("div", { className: "row" });
  again = button("", () => this.example.demonstrate());

  constructor(play, example, free) {
    this.example = example;
    this.squares = new Squares(example);
    this.squares.free = free;
    this.things = new Things(example, this.squares);
    example.views = []; // what else is drawn of it stands below
    const boards = make("div", { className: "boards" });
    this.box = make("div", { className: "lesson" }, this.told, this.beside, boards, this.table, this.ways);
    new Motion(example, boards, this.box);
    new Boards(example, this.squares, boards);
    example.views.push(this);
    example.show();
  }

  show() {
    const { example, squares, things } = this;
    const options = example.options();
    this.beside.replaceChildren(...example.game.players.flatMap((name, p) => {
      const own = things.belongings(p);
      return own.length ? [make("p", { className: "row" }, stone(example.data.colours[p]), name, ...own)] : [];
    }));
    this.table.replaceChildren(...things.things());
    const clickable = new Set([...this.box.querySelectorAll("button[title]")].map((each) => each.title));
    const others = options.filter((option) => !squares.isClickable(option) && !things.isByDice(option) && !clickable.has(option.name));
    this.again.textContent = example.say(options.length ? "Show me" : "Again");
    this.again.hidden = options.length > 0 && others.length === options.length && options.length <= MOST_WAYS; // the buttons show it
    this.ways.replaceChildren(...others.slice(0, MOST_WAYS).map(({ name }) => button(spoken(example, name, example.at), () => example.go(name))), this.again);
    this.told.textContent = example.notice || (options.length ? this.task(options[0], others.length) : this.done());
  }

  task(option, others) {
    const steps = this.squares.stepsOf(option).length + (this.squares.handOf(option) ?? []).length;
    if (others || !this.squares.isClickable(option)) return this.example.say(others ? "Press a button." : "Click what can be played.");
    return this.example.say(steps > 1 ? "Click a marked square, then where it goes." : "Click a marked square.");
  }

  done() {
    const { example } = this;
    const [made] = example.path().slice(example.path().indexOf(example.first) + 1);
    const name = Array.isArray(made.name) ? made.name[example.own] : made.name;
    const over = example.node.kind === "end" ? turnInWords(example) : "";
    return [actInWords(example, example.own, name, made.parent), over].filter(Boolean).join(". ");
  }
}

export class HowToPlay extends Part {
  constructor(play, squares) {
    super(play);
    byId("learn").addEventListener("click", () => {
      if (!byId("lessons").childElementCount) byId("lessons").append(...this.about(), ...this.lessons(squares.free), ...this.ends());
      byId("manual").showModal();
    });
    byId("close").addEventListener("click", () => byId("manual").close());
  }

  /** What the first comment of the file says, and who plays. */
  about() {
    const lines = byId("rules").textContent.trimStart().split("\n");
    const end = lines.findIndex((line) => !line.startsWith("#"));
    const text = lines.slice(0, end).map((line) => line.replace(/^#+\s*/, "")).join(" ");
    const begins = this.game.node(this.game.initial()).player;
    const players = this.game.players.map((name, p) => make("span", {}, stone(this.data.colours[p]), ` ${p === begins ? this.play.say("{0}, who begins", name) : name}`));
    const told = text.split(/ (?=(?:Known|Rules)\b[^:.]*:)/).filter(Boolean);
    return [...told.map((textContent) => make("p", { textContent })), make("p", { className: "row" }, ...players)];
  }

  /** Each rule of actions with what it asks for in words, and an example where one was found. */
  lessons(free) {
    const { acts = [] } = this.data.game;
    const found = acts.length ? findExamples(this.game) : [];
    return [make("div", { id: "examples" }, ...acts.map(([name, ...asked], rule) => {
      const shown = found[rule] ? [new Lesson(this.play, new Example(this.play, found[rule], rule), free).box] : [];
      return make("section", {}, make("h3", { textContent: name.replaceAll("_", " ") }), ...asked.filter(Boolean).map((textContent) => make("p", { textContent: `${textContent[0].toUpperCase()}${textContent.slice(1)}.` })), ...shown);
    }))];
  }

  /** The reasons that end play, each with what it brings where the file says that in a word. */
  ends() {
    const { ends = [], outcomes = [] } = this.data.game;
    const brings = (written) => {
      if (written === "draw") return this.play.say("a draw");
      if (written === "lose mover") return this.play.say("whoever is to move loses");
      const [, how, name] = /^(win|lose) (.+)$/.exec(written) ?? [];
      const others = this.game.players.filter((each) => each !== name);
      const winner = how === "win" ? name : others.length === 1 ? others[0] : "";
      return this.game.players.includes(winner) && this.game.players.includes(name) ? this.play.say("{0} wins", winner) : "";
    };
    const lines = new Set(ends.map((reason, k) => [reason, brings(outcomes[k])].filter(Boolean).join(": ")));
    if (!lines.size) return [];
    return [make("h3", { textContent: this.play.say("How it ends") }), make("ul", {}, ...[...lines].map((textContent) => make("li", { textContent })))];
  }
}
