"use strict";
// Who thinks on the page: the rules, the compiled engine, or the slower searches, whichever suits.

const MADE = { windows: Windows, proof: Windows, vectors: Vectors, simulations: Simulations, led: Led };
const [EXACTLY_SHARE, PROOF_SHARE] = [0.15, 0.3]; // of the seconds: for an answer by the interpreter, for a proof

/** The computer: what is small exactly by the rules, else by the compiled engine, else by the searches of search.js. */
class Mind {
  static async made(rules, searches) {
    const mind = new Mind();
    Object.assign(mind, { rules, searches, engines: {} });
    for (const [name, told] of Object.entries(searches)) {
      try {
        mind.engines[name] = await MADE[name].made(told, rules);
      } catch (error) {
        mind.fault = String(error); // a browser without it, or without the memory: the rules alone can do it
      }
    }
    return mind;
  }

  /** What is best after a play, by names and rows; `all`: what every action is worth too. `seconds`, or else `depth` or
   * `simulations`, say how far to go. */
  async choose({ names, rows, seconds = null, depth = null, simulations = null, seed = 0, all = false }) {
    const state = replayed(this.rules, names);
    const node = this.rules.node(state);
    if (node.kind !== "decision") return { best: null, rows: [], value: node.utilities ?? null, values: {}, exact: true, how: "", line: [] };
    const counted = depth !== null || simulations !== null;
    const until = seconds === null ? Infinity : performance.now() + 1000 * seconds;
    if (depth !== null && this.searches.windows) this.engines.windows = await Windows.made(this.searches.windows, this.rules); // nothing known
    const found = (counted || this.engines.windows || this.engines.vectors ? null : this.exactly(state, node, seconds))
      ?? this.engineChoice(node, state, { rows, until, seconds, depth, simulations, seed, all })
      ?? new Search(this.rules, seed).choose(state, seconds ?? 1);
    found.value ??= found.values[found.best];
    const estimate = !found.exact && (this.rules.features.length > 0 || Boolean(this.engines.windows ?? this.engines.vectors));
    return { ...found, estimate, line: this.named(state, found) };
  }

  exactly(state, node, seconds) {
    return new Search(this.rules).exactly(state, node, Date.now() + 1000 * EXACTLY_SHARE * seconds);
  }

  engineChoice(node, state, asked) {
    for (const [name, engine] of Object.entries(this.engines)) {
      if ((asked.simulations !== null && name !== "simulations" && name !== "led") || (asked.depth !== null && name === "proof")) continue;
      const proof = name === "proof";
      const until = proof && asked.seconds !== null ? performance.now() + PROOF_SHARE * (asked.until - performance.now()) : asked.until;
      try {
        if (!engine.enter(asked.rows) || engine.moves() !== node.options.length) continue;
        engine.back();
        const found = engine.choose(node, { ...asked, until, whole: proof, state });
        if (found) return found;
      } catch (error) {
        this.fault = String(error);
      }
    }
    return null;
  }

  /** The names of a line. */
  named(state, { rows, best }) {
    if (!rows) return best === null ? [] : [best];
    const line = [];
    for (const row of rows) {
      const node = this.rules.node(state);
      if (node.kind !== "decision" || row >= node.options.length) break;
      line.push(node.options[row].name);
      state = this.rules.next(state, node.options[row]);
    }
    return line;
  }
}
