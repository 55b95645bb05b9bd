// Who thinks on the page: the first of the compiled searches that finds something.
import { Ends, Simulations, Vectors, Windows } from "./compiled.js";
import { Sets, randomNumbers } from "./hidden.js";

const MADE = { windows: Windows, proof: Windows, vectors: Vectors, ends: Ends, simulations: Simulations, sets: Sets };
const PROOF_SHARE = 0.3; // of the seconds: for a proof

export class Mind {
  game; searches; about; engines;

  static async made(game, searches) {
    const about = { players: game.players, times: game.told.times };
    const mind = Object.assign(new Mind(), { game, searches, about, engines: {} });
    for (const [name, told] of Object.entries(searches)) {
      const made = await MADE[name].made(told, about).catch(() => null); // a browser without the memory
      if (made) mind.engines[name] = made;
    }
    return mind;
  }

  /** What is best after a play, given as [choice, how many there were]; `all`: what every action is worth too. `seconds`,
   * or else `depth` or `simulations`, say how far to go; so does a `level`, for which actions are compared. `player`: who may know only what they were shown. */
  async choose({ rows, player = null, seconds = null, depth = null, simulations = null, seed = 0, all = false, level = null }) {
    const state = this.game.after(rows.map(([choice]) => choice));
    const node = this.game.node(state);
    if (this.game.nodes && node.kind === "decision") return this.game.choose(state, randomNumbers(seed));
    if (player === null && node.kind !== "decision") return { best: null, value: node.utilities ?? null, values: {}, exact: true, how: "", line: [] };
    const until = seconds === null ? Infinity : performance.now() + 1000 * seconds;
    if (depth !== null && this.searches.windows) this.engines.windows = await Windows.made(this.searches.windows, this.about); // nothing known
    const asked = { rows, until, seconds, depth, simulations: level?.simulations ?? simulations, seed, all, level, game: this.game, state, player };
    const options = node.kind === "everyone" ? node.options[player] : node.options;
    const found = this.engineChoice(node, asked) ?? { best: options[0].name, values: {}, exact: false, how: "the first action" };
    found.value ??= found.values[found.best] ?? null;
    const estimate = !found.exact && Boolean(this.engines.windows ?? this.engines.vectors);
    return { ...found, estimate, line: this.named(state, found) };
  }

  engineChoice(node, asked) {
    for (const [name, engine] of Object.entries(this.engines)) {
      const proof = name === "proof" || name === "ends";
      const counts = asked.simulations !== null && !asked.level; // simulations alone
      if ((counts && !["simulations", "sets"].includes(name)) || ((asked.depth !== null || asked.level) && proof)) continue;
      const until = proof && asked.seconds !== null ? performance.now() + PROOF_SHARE * (asked.until - performance.now()) : asked.until;
      try {
        if (!engine.enter(asked.rows, node)) continue;
        const found = engine.choose(node, { ...asked, until, whole: proof });
        if (found) return found;
      } catch {} // the next one is tried
    }
    return null;
  }

  /** The names of a line. */
  named(state, { rows, best }) {
    if (!rows) return [best];
    const line = [];
    for (const row of rows) {
      const option = this.game.node(state).options?.[row];
      if (!option?.name) break;
      line.push(option.name);
      state = this.game.next(state, row);
    }
    return line;
  }
}
