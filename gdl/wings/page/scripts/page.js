// The page on which a game is played: its parts, and what is left for none of them.
import { BoardButtons, Boards } from "./board.js";
import { Computer, Helper } from "./computer.js";
import { tell } from "./elements.js";
import { Game } from "./game.js";
import { gameOf } from "./graph.js";
import { HowToPlay } from "./lessons.js";
import { linkTo, readLink, variantIn } from "./link.js";
import { Log } from "./log.js";
import { Motion } from "./motion.js";
import { Moves } from "./moves.js";
import { readPlay } from "./opening.js";
import { Picture } from "./picture.js";
import { Play, Part, say } from "./play.js";
import { SetUp } from "./setup.js";
import { shortName } from "./short_names.js";
import { Squares } from "./squares.js";
import { Strips } from "./strips.js";
import { Study } from "./study.js";
import { Things } from "./things.js";
import { spoken, turnInWords } from "./words.js";

const MOST_FILE = 1 << 20; // characters of a play that is opened

/** Whose turn it is, whose side is shown, what else is to be said, and the buttons for it. */
class Status extends Part {
  constructor(play, squares) {
    super(play);
    this.squares = squares;
    byId("opening").hidden = this.data.hidden;
    const clicked = (id, act) => byId(id).addEventListener("click", act);
    clicked("new", () => this.newGame());
    clicked("continue", () => { play.looks = false; play.settle(); });
    clicked("back", () => this.takeBack());
    clicked("look", () => { play.looked = play.viewer; play.show(); });
    clicked("share", () => this.share());
    byId("file").addEventListener("change", () => this.open(byId("file").files[0]));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => { event.preventDefault(); if (!this.data.hidden) this.open(event.dataTransfer.files[0]); });
    window.addEventListener("hashchange", () => {
      if (location.hash.slice(1) === linkTo(play)) return;
      if ((variantIn(location.hash.slice(1)) ?? data.variants[0].variant) !== data.variant) { location.reload(); return; }
      readLink(play, location.hash.slice(1));
      play.settle();
    });
  }

  show(moved = false) {
    const { play } = this;
    const curtained = play.isCurtained();
    byId("status").textContent = turnInWords(play);
    const only = play.isOpen() && play.options().length === 1 ? play.say("Only “{0}” is possible.", spoken(play, play.options()[0].name, play.at)) : "";
    byId("why").textContent = play.node.why ?? [...this.squares.warnings(), only].filter(Boolean).join(" ");
    byId("notice").textContent = play.notice;
    byId("curtain").hidden = !curtained;
    byId("whose").textContent = curtained ? play.say("It is {0}'s turn. Everybody else looks away.", this.game.players[play.viewer]) : "";
    byId("share").hidden = byId("back").hidden = this.data.hidden && curtained;
    byId("back").classList.toggle("idle", !play.takenBackTo());
    byId("back").setAttribute("aria-disabled", String(!play.takenBackTo())); // it says so if it is pressed
    byId("past").hidden = !play.looks;
    const [done, all] = [play.path(), play.wholeLine()].map((places) => places.filter(({ who }) => who !== null).length);
    byId("past").firstChild.textContent = play.say("You look at move {0} of {1}.", done, all);
    if (moved) history.replaceState(null, "", `#${linkTo(play)}`);
  }

  takeBack() { tell(this.play.takeBack() ? "" : this.play.say("There is nothing to take back.")); }

  newGame() {
    const played = this.play.path().some(({ parent }) => this.game.node(parent.state).kind !== "chance"); // by anybody
    if (played) history.pushState(null, "", location.href);
    tell(played ? this.play.say(this.data.hidden ? "The browser's way back leads to the old play." : "The old play is kept as a variation.") : "");
    this.play.newGame();
  }

  /** A page that is served over plain http has no clipboard. */
  share() {
    tell(location.href);
    getSelection().selectAllChildren(byId("told"));
    if (document.execCommand("copy")) tell(this.play.say("The link is copied: it opens this position."));
  }

  async open(file) {
    const { play } = this;
    const names = file && readPlay(this.squares, (await file.text()).slice(0, MOST_FILE));
    if (!file) return;
    if (names) {
      play.restart();
      play.begin(names);
      play.looks = play.mover() !== null;
    }
    play.notice = !names ? play.say("No play of this game is in the file: it reads records, PGN and SGF.") : names.fault ? play.say("Move {0} of the file, {1}, is not possible: the play is shown up to there.", names.length + 1, names.fault) : "";
    play.settle();
  }
}

const whole = JSON.parse(byId("data").textContent);
const data = { ...whole, ...whole.variants.find(({ variant }) => variant === variantIn(location.hash.slice(1)))?.data };
const game = await gameOf(data.game).catch((error) => { byId("status").textContent = say(data, "The game does not start in this browser: {0}", error); throw error; });
const play = new Play(data, game);
const squares = new Squares(play);
if (data.game.free) squares.free = await Game.made({ ...data.game, ...data.game.free, times: false });
play.shortFor = (name, state) => ((state.short ??= {})[name] ??= shortName(squares, name, state));
const status = new Status(play, squares);
new Motion(play); // before what it moves is drawn anew
const boards = new Boards(play, squares);
byId("table").addEventListener("pointerdown", (event) => {
  const held = event.target.closest("[data-hand]");
  if (held) boards.lift(event, held, { hand: Number(held.dataset.hand), is: {} });
  else boards.lift(event, event.target.closest(".card"), { card: things.waysOf.get(event.target.closest(".card")) ?? [], is: {} });
});
new BoardButtons(play);
new Picture(play);
const things = new Things(play, squares);
new Strips(play, squares, things);
new Moves(play, squares, things);
const log = new Log(play);
new Study(play, log);
new SetUp(play);
new HowToPlay(play, squares);
const computer = new Computer(play); // the last: it may move once all is drawn

/** What each action is worth to everyone, as far as that is found in a second. */
async function allValues() {
  if (play.node.kind !== "decision" || data.hidden) return { values: {}, exact: !data.hidden };
  const { found } = play.at;
  return found && Object.keys(found.values).length === play.node.options.length ? found : new Helper(data).ask({ ...play.asking(), seconds: 1, all: true });
}

/** Numbers of all players by their names. */
const byPlayer = (values) => Object.fromEntries(game.players.map((player, p) => [player, Number(values[p])]));

/** For programs and tests: the same as the buttons. */
window.gdl = {
  position: () => (play.viewer === null ? game.key(play.state) : game.shownTo(play.viewer, play.state)),
  moves: () => (data.hidden && play.viewer !== null ? play.path().length : play.path().map(({ name }) => name)),
  legal: () => (play.viewer === null || play.viewer === play.mover() ? play.options().map((option) => option.name) : []),
  play: (name) => play.go(name),
  values: async () => Object.fromEntries(Object.entries((await allValues()).values).map(([name, values]) => [name, byPlayer(values)])),
  exact: async () => (await allValues()).exact,
  reply: (time) => computer.reply(time),
  seats: (...who) => { play.paused = false; play.sit(who); },
  player: () => (play.mover() === null ? null : game.players[play.mover()]),
  over: () => play.node.kind === "end",
  utilities: () => (play.node.kind === "end" ? byPlayer(play.node.utilities) : null),
  back: () => status.takeBack(),
  analyse: (asked = {}) => new Helper(data).ask({ ...play.asking(), seed: 0, ...asked }),
  marks: () => play.path().map(({ name, mark, comment }) => ({ name, mark, comment })),
};

readLink(play, location.hash.slice(1));
play.settle();
