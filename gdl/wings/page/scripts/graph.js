// A tree or a matrix on the page, played on its nodes (gdl/wings/page/play_page.py); the computer plays what the solution does.
import { Game, exact } from "./game.js";
import { drawByWeight } from "./hidden.js";

/** A number as it stands in the data: a fraction is a text. */
function number(written) {
  const [n, d] = String(written).split("/");
  return d ? exact(BigInt(n), BigInt(d)) : Number(n);
}

export class GraphGame extends Game {
  constructor(told) {
    super();
    Object.assign(this, { told, players: told.players, nodes: told.nodes });
  }

  initial() { return { at: 0, before: null, events: [] }; }

  next(state, choice) { return { at: this.nodes[state.at].to[choice], before: state, choice, events: [] }; }

  view() { return []; }

  key(state) { return String(state.at); }

  shownTo(player, { at }) { return this.nodes[at].player === player ? JSON.stringify(this.nodes[at].known ?? at) : ""; }

  looked(state) {
    const { to, player, known, moves, odds, worth } = this.nodes[state.at];
    if (!to.length) return { kind: "end", utilities: worth.map(number), why: "" };
    const options = moves.map((name, row) => ({ name, row, squares: [], columns: [], chance: number(odds[row]) }));
    return player === null ? { kind: "chance", outcomes: options } : { kind: "decision", player, known, options };
  }

  kind() { return ""; }

  /** The nodes at which whoever moves may be, for all that they know. */
  possible(state) {
    const { player, known } = this.nodes[state.at];
    return known === undefined ? [state.at] : this.nodes.flatMap((each, at) => (each.player === player && each.known === known ? [at] : []));
  }

  /** What the solution plays, what it is worth where nothing is hidden, and how it goes on. */
  choose(state, random) {
    const { to, moves, odds, worth } = this.nodes[state.at];
    const best = moves[drawByWeight(odds.map((each) => Number(number(each))), random)];
    const values = worth.length ? Object.fromEntries(moves.map((name, row) => [name, this.nodes[to[row]].worth.map(number)])) : {};
    return { best, values, value: worth.length ? worth.map(number) : null, exact: this.told.exact, how: this.told.how, line: worth.length ? this.line(state.at) : [best] };
  }

  /** The likeliest moves from a node on. */
  line(at) {
    const { to, moves, odds } = this.nodes[at];
    if (!to.length) return [];
    const likely = odds.map((each) => Number(number(each)));
    const row = likely.indexOf(Math.max(...likely));
    return [moves[row], ...this.line(to[row])];
  }
}

/** What plays a game, by what is told of it. */
export const gameOf = async (told) => (told.nodes ? new GraphGame(told) : Game.made(told));
