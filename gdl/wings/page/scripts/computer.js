// The computer as a player: it thinks in a worker, moves at its level where it is its turn, and gives hints.
import { tell } from "./elements.js";
import { Fraction } from "./game.js";
import { randomNumbers } from "./hidden.js";
import { Judge } from "./judge.js";
import { Part } from "./play.js";
import { movesToEnd, spoken, verdict } from "./words.js";

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

/** A number from -1 to 1 that is drawn by a text and a seed. */
const drawnBy = (text, seed) => 2 * randomNumbers([...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16777619), seed))() - 1;

export class Computer extends Part {
  seed = 0; // of what it misjudges in this play

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
    this.best = this.data.levels.length + 1; // levels that differ from none are not offered
    for (const option of byId("level").options) option.hidden = option.disabled = this.data.alike <= Number(option.value) && Number(option.value) < this.best;
  }

  show(moved = false) {
    const { play, level } = this;
    byId("now").textContent = play.say(!play.areComputers() ? "Computer moves" : play.paused ? "Go on" : "Pause");
    byId("now").hidden = this.data.hidden && !play.areComputers();
    byId("hint").disabled = !play.isOpen() || play.waits;
    const [looks, error] = this.data.searches.windows ?? this.data.searches.vectors ? [level?.nodes, level?.error] : [level?.simulations, level?.doubt];
    const means = level ? play.say("Level {0}: it looks at {1} positions or plays, and misjudges a move by up to {2} % of the chance to win.", byId("level").value, looks, Math.round(1000 * error) / 10) : play.say("Level {0}: the best move that it finds.", byId("level").value);
    byId("means").textContent = [means, this.data.alike < this.best ? play.say("From level {0} on this game is played as at level {1}.", this.data.alike, this.best) : ""].join(" ").trim();
    if (moved && !play.path().length) this.seed = Math.floor(Math.random() * 2 ** 31);
    if (moved) this.opponent.stop();
    if (moved && !play.looks && !play.paused && play.isSeated("computer")) this.reply();
  }

  /** What limits it; null at the highest level. */
  get level() { return this.data.levels[Number(byId("level").value) - 1] ?? null; }

  /** The move that seems best at its level (gdl/wings/arena/levels.py): to the worth of each an error is added, the same
   * one whenever it looks at the same position. */
  atLevel(found, level, seed) {
    const { play, judge } = this;
    const [player, options, before] = [play.mover(), play.options(), play.path().map(({ name }) => name)];
    const chances = ({ name }) => (found.values[name] && judge.scale.bounds ? judge.chances({ ...found, value: found.values[name] }, player) : -Infinity);
    const worths = found.worths ?? options.map(chances);
    if (!level || Math.max(...worths) === -Infinity) return found.best;
    const seems = options.map(({ name }, own) => worths[own] + 2 * (found.worths ? level.doubt : level.error) * drawnBy([...before, name].join("/"), seed));
    return options[seems.indexOf(Math.max(...seems))].name;
  }

  /** The computer's move in the present position, played when it is found. */
  async reply(time = seconds()) {
    const { play } = this;
    const player = play.mover();
    if (player === null) return null;
    this.opponent.stop();
    Object.assign(play, { looks: false, waits: true });
    play.show();
    const { level, seed } = this;
    const thought = await this.opponent.ask({ ...play.asking(), seconds: time, ...(level && { level, seed }) });
    if (!thought) return null; // meanwhile something else was done
    play.waits = false;
    const best = this.atLevel(thought, level, seed);
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
    tell(`${spoken(play, found.best, place)}${verdict(play, found)}`, this.inWords(found));
    play.show();
  }
}
