// What a move is called for short: those of games with chessmen in algebraic notation, as Nf3, exd5 or Qh4#.
import { isShortFor, letterOf } from "./opening.js";

/** The short name of an action in a state, by which no other is meant there; its own name where it has none. */
export function shortName(squares, name, state) {
  const [board] = squares.data.boards;
  if (squares.data.hidden || !board?.glyphs.king || !board.glyphs.pawn) return name;
  const { options = [] } = squares.game.node(state);
  const option = options.find((each) => each.name === name);
  const named = option && (squares.squaresInName(name.replace(/[a-z]$/, "")) ?? squares.squaresInName(name));
  if (named?.length !== 2) return name;
  const [from, to] = named;
  const cells = squares.game.view(state, null);
  const man = squares.standing(board, from, cells).name.toLowerCase();
  const far = to.x - from.x;
  const takes = squares.standing(board, to, cells).sign || (man === "pawn" && far) ? "x" : "";
  const promoted = name.endsWith(to.name) ? "" : `=${name.at(-1).toUpperCase()}`;
  const starts = ["", from.name[0], from.name.slice(1), from.name].slice(man === "pawn" && takes ? 1 : 0);
  const ways = [...(man === "king" && Math.abs(far) === 2 ? [far > 0 ? "O-O" : "O-O-O"] : []), ...starts.map((start) => `${letterOf(man)}${start}${takes}${to.name}${promoted}`)];
  const alone = (written) => options.filter((each) => isShortFor(squares, written, each, state)).map((each) => each.name).join() === name;
  const [short, after] = [ways.find(alone), squares.game.next(state, option.row)];
  const { kind, utilities } = squares.game.node(after);
  const sign = kind === "end" ? (utilities.some(Number) ? "#" : "") : squares.free && squares.rowsFreed({ words: after.words }).some(({ alarm }) => alarm !== undefined) ? "+" : "";
  return short ? short + sign : name;
}
