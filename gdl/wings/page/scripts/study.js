// What is thought of the play: the bar, the best line, what each move is worth; and of a whole game, with marks.
import { Helper, seconds } from "./computer.js";
import { tell } from "./elements.js";
import { Judge } from "./judge.js";
import { Part } from "./play.js";
import { shown, spoken, verdict } from "./words.js";

const MOST_WORKERS = 4; // one for each core, as far as memory may last

export class Study extends Part {
  looking = null; // the position that is looked at
  analysts = []; student; // workers for whole games, and for the present position, that no reply waits
  analysing = 0; // the analysis under way, if any; another number ends it

  constructor(play, log) {
    super(play);
    const cores = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
    [this.student, ...this.analysts] = Array.from({ length: cores + 1 }, () => new Helper(play.data));
    this.judge = new Judge(play.data);
    this.log = log;
    byId("analyse").addEventListener("click", () => this.analyse());
    byId("values").parentElement.hidden = this.data.hidden; // nobody is told who is ahead where something is hidden
  }

  /** Look at the present position, where that is asked for, and show what was found of it. */
  show() {
    const on = byId("values").checked && !this.data.hidden && this.play.node.kind === "decision";
    const found = on ? this.play.at.found : null;
    byId("bar").hidden = !on || this.game.players.length !== 2;
    byId("best").hidden = !on;
    if (!on) return;
    byId("best").textContent = found?.value ? `${verdict(this.play, found).slice(2)}. ${this.play.say("Best: {0}", this.inShort(found.line).join(" "))} (${found.how})` : this.play.say("Looking …");
    if (found?.value && this.game.players.length === 2) {
      const share = 50 + 50 * this.judge.chances(found, 0);
      byId("balance").style.background = this.data.colours[0];
      byId("bar").style.background = this.data.colours[1];
      byId("balance").style.width = `${share.toFixed(1)}%`;
      byId("bar").setAttribute("aria-label", `${this.game.players[0]} ${shown(this.play, found.value[0], found.exact)}`);
    }
    if (!found?.all) this.look(this.play.at);
  }

  /** The names of a line from the present position on, each short. */
  inShort(line) {
    const { steps } = this.game.along(this.play.state, line);
    return line.map((name, k) => spoken(this.play, name, steps[k]));
  }

  async look(place) {
    if (this.looking === place) return;
    this.looking = place;
    const found = await this.student.ask({ ...this.play.asking(place), player: null, seconds: seconds(), all: true });
    if (!found) return; // another is looked at
    this.looking = null;
    place.found = { ...found, all: true };
    if (place === this.play.at) this.play.show();
  }

  /** All positions of the line, each by whichever worker is free. */
  async analyse() {
    for (const analyst of this.analysts) analyst.stop();
    if (this.analysing) { this.analysing = 0; return; }
    const mine = (this.analysing = Math.random());
    byId("analyse").textContent = this.play.say("Stop");
    const line = this.play.wholeLine();
    const wanted = (line.length ? [line[0].parent, ...line] : []).filter(({ found, state }) => !found && this.game.node(state).kind === "decision");
    const count = wanted.length;
    await Promise.all(this.analysts.map(async (analyst) => {
      for (let place; this.analysing === mine && (place = wanted.shift()); this.log.show()) {
        tell(this.play.say("Looking at move {0} of {1} …", count - wanted.length, count));
        place.found ??= await analyst.ask({ ...this.play.asking(place), player: null, seconds: seconds() });
        for (const each of line) each.mark = this.markOf(each);
      }
    }));
    tell(this.analysing === mine ? this.summary(line) : "");
    this.analysing = 0;
    byId("analyse").textContent = this.play.say("Analyse the game");
  }

  /** What a move gave away for the one who made it, as a mark. */
  markOf(place) {
    const { found } = place.parent;
    if (place.who === null || !found?.value || found.best === place.name) return "";
    const after = this.game.node(place.state);
    const now = after.kind === "end" ? { value: after.utilities, exact: true } : place.found;
    if (!now?.value) return "";
    return this.judge.mark(found, now, place.who);
  }

  summary(line) {
    const count = (player, mark) => line.filter((place) => place.who === player && place.mark === mark).length;
    const told = this.game.players.map((name, p) => `${name}: ${this.data.marks.map(([, mark]) => `${count(p, mark)} ${mark}`).join(", ")}`);
    return this.play.say("{0} (?? gives much away, ?! a little).", told.join("; "));
  }
}
