// The computer as a player: it thinks in a worker, moves at its level where it is its turn, and gives hints.
import { tell } from "./elements.js";
import { Fraction } from "./game.js";
import { Judge } from "./judge.js";
import { Part } from "./play.js";
import { movesToEnd, verdict } from "./words.js";

const GIVEN = [1, 0.4, 0.2, 0.08, 0]; // of the chance to win: what a move of the computer's may cost at each level

/** A worker with the rules and the engine, made when it is first asked. Who asks again waits no more for what was asked
 * before, of which they get null. */
export class Helper {
  data; worker = null;
  answer = null; // to whoever waits

  constructor(data) { this.data = data; }

  async ask(asked) {
    this.stop();
    this.worker ??= this.made();
    const found = await new Promise((resolve) => {
      this.answer = resolve;
      this.worker.onmessage = ({ data }) => { this.answer = null; resolve(data); };
      this.worker.postMessage(asked);
    });
    if (!found) return null;
    const numbers = (values) => values.map((value) => (value?.d ? new Fraction(value.n, value.d) : value));
    const values = Object.entries(found.values).map(([name, each]) => [name, numbers(each)]);
    return { ...found, values: Object.fromEntries(values), value: found.value && numbers(found.value) };
  }

  made() {
    const code = `${byId("engine").textContent}
      let mind = null;
      onmessage = async ({ data: { game, searches, ...asked } }) => {
        if (game) mind = gameOf(game).then((made) => Mind.made(made, searches));
        else postMessage(await (await mind).choose(asked));
      };`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    worker.postMessage({ game: this.data.game, searches: this.data.searches });
    return worker;
  }

  /** End a search that nobody waits for any more. */
  stop() {
    if (!this.answer) return;
    this.worker.terminate();
    this.worker = null;
    this.answer(null);
    this.answer = null;
  }
}

export const seconds = () => Number(byId("seconds").value);

export class Computer extends Part {
  constructor(play) {
    super(play);
    this.opponent = new Helper(play.data);
    this.judge = new Judge(play.data);
    byId("hint").addEventListener("click", () => this.hint());
    byId("now").addEventListener("click", () => {
      if (!play.areComputers()) { this.reply(); return; }
      play.paused = !play.paused;
      tell("");
      play.settle();
    });
    byId("level").addEventListener("change", () => this.show());
  }

  show(moved = false) {
    const { play, given } = this;
    byId("now").textContent = play.say(!play.areComputers() ? "Computer moves" : play.paused ? "Go on" : "Pause");
    byId("now").hidden = this.data.hidden && !play.areComputers();
    byId("hint").disabled = !play.isOpen() || play.waits;
    byId("means").textContent = play.say(given ? this.data.hidden ? "Level {0}: {1} of 100 moves are made at random." : "Level {0}: at random, a move that costs at most {1} % of the chance to win." : "Level {0}: the best move that it finds.", byId("level").value, Math.round(100 * given));
    if (moved) this.opponent.stop();
    if (moved && !play.looks && !play.paused && play.isSeated("computer")) this.reply();
  }

  get given() { return GIVEN[Number(byId("level").value) - 1]; }

  /** The move that the computer makes at its level, of those whose worth it has found; in games with hidden parts, where it
   * does not compare all, now and then one at random. */
  atLevel(found) {
    const [player, random, { given, judge }] = [this.play.mover(), Math.random() < this.given, this];
    const chances = (value) => judge.chances({ ...found, value }, player);
    const cost = ({ name }) => (found.values[name] ? chances(found.values[found.best] ?? found.value) - chances(found.values[name]) : Infinity) / 2;
    const some = this.play.options().filter(this.data.hidden ? () => random : (option) => cost(option) <= given);
    return given && some.length ? some[Math.floor(Math.random() * some.length)].name : found.best;
  }

  /** The computer's move in the present position, played when it is found. */
  async reply(time = seconds()) {
    const { play } = this;
    const player = play.mover();
    if (player === null) return null;
    this.opponent.stop();
    Object.assign(play, { looks: false, waits: true });
    play.show();
    const thought = await this.opponent.ask({ ...play.asking(), seconds: time, all: this.given > 0 && !this.data.hidden });
    if (!thought) return null; // meanwhile something else was done
    play.waits = false;
    const best = this.atLevel(thought);
    const found = best === thought.best ? thought : { ...thought, best, line: [best] };
    play.thought = { name: best, worth: this.data.hidden || movesToEnd(play, play.at, [best], 0) !== null ? "" : verdict(play, found), how: this.inWords(found) };
    const { at } = play;
    play.go(best);
    if (play.at === at) tell(play.say("{0} has chosen.", this.game.players[player])); // of all at once, others have not
    return best;
  }

  inWords({ how }) { return how && this.play.say("The last move was found by {0}.", how); }

  async hint() {
    const { play } = this;
    if (play.mover() === null || play.isCurtained()) return;
    tell(play.say("Looking …"));
    const [player, place] = [play.mover(), play.at];
    const found = await this.opponent.ask({ ...play.asking(), seconds: seconds() });
    if (!found || play.at !== place || play.mover() !== player) return;
    play.advised = found.best;
    tell(`${play.shortFor(found.best, play.state)}${verdict(play, found)}`, this.inWords(found));
    play.show();
  }
}
