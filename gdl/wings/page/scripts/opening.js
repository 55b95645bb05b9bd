// A play that is dropped on the page or opened from a file: a record of gdl play, PGN, or SGF, of which the main line is
// read; and moves in the short notation of chess.

const SHORT = /^([A-Z]?)((?!x[a-z])[a-z]|)(\d*)[x-]?([a-z]\d+)(?:=?([A-Za-z]))?[+#!?]*$/;
const CASTLING = /^([O0]-[O0])(-[O0])?[+#!?]*$/;
const [LETTER_A, PASS] = [97, /^(tt)?$/];
const SET_UP = /\bA[BEW]\s*\[[^\]]*\]/; // stones that nobody played
const [POSITION, FIELDS] = [/^\s*(\[FEN "([^"]*)"\])/m, 3]; // men, who moves and rights: move numbers may differ
const NO_MOVE = /^(\$\d+|1-0|0-1|1\/2-1\/2|\d+|(?!--$)[^\p{L}\d]+)$/u; // a null move is one, which is not possible
const [MOST_OPENING, MOST_DEPTH] = [3000, 20]; // milliseconds; variations of variations

/** The letter of a chessman. */
export const letterOf = (man) => ({ knight: "N", pawn: "" }[man] ?? man.slice(0, 1).toUpperCase());

/** Whether a move of chess in short notation, as Nf3, e8=Q or O-O, may be this action. */
export function isShortFor(squares, written, option, at = squares.play.state) {
  const named = squares.squaresInName(option.name.replace(/[a-z]$/, "")) ?? squares.squaresInName(option.name);
  if (named?.length !== 2) return false;
  const [from, to] = named;
  const piece = squares.standing(squares.data.boards[0], from, squares.game.view(at, null)).name.toLowerCase();
  const castled = CASTLING.exec(written);
  if (castled) return piece === "king" && (castled[2] ? to.x - from.x === -2 : to.x - from.x === 2);
  const short = SHORT.exec(written);
  if (!short) return false;
  const [, letter, column, row, target, promoted] = short;
  const fits = from.name.startsWith(column) && (!row || from.name.endsWith(row)) && to.name === target && letterOf(piece) === letter;
  return fits && (option.name.endsWith(to.name) ? !promoted : option.name.endsWith((promoted ?? "").toLowerCase()) && Boolean(promoted));
}

/** The moves of a text, as they are written there. */
function movesIn(text) {
  if (/^\s*\(;/.test(text)) return [...firstLine(text).matchAll(/;[^;]*?\b[BW]\s*\[([^\]]*)\]/g)].map(([, written]) => ({ written, point: true }));
  const body = text.replace(/^\s*\[.*\]\s*$/gm, "");
  if (/^\s*\[game "/m.test(text)) return [...body.matchAll(/^\s*\d+\. (.*?)\s*$/gm)].map(([, written]) => ({ written, point: false })); // a record
  return withoutRemarks(body).split(/\s+/).map((word) => word.replace(/^\d+\.+/, "")).filter((word) => word && !NO_MOVE.test(word)).map((written) => ({ written, point: false }));
}

/** A text in PGN without remarks, in braces or to the end of a line, and without variations, in parentheses. */
function withoutRemarks(text) {
  let bare = text.replace(/\{[^}]*\}?|;.*/g, "");
  for (let depth = 0; depth < MOST_DEPTH; depth++) bare = bare.replace(/\([^()]*\)/g, "");
  return bare;
}

/** The first line of a tree in SGF, of whose properties what could be taken for another is left out. */
function firstLine(text) {
  const plain = text.replace(/\[([^\\\]]*(?:\\[^][^\\\]]*)*)\]?/g, (_, value) => `[${value.replace(/\\[^]|[;()[]/g, "")}]`);
  return plain.split(")")[0].replaceAll("(", "");
}

/** What a text sets up that is not where the page begins: stones in SGF, a position in PGN; "" if nothing. */
function otherStart(data, text) {
  if (/^\s*\(;/.test(text)) return SET_UP.exec(firstLine(text))?.[0] ?? "";
  const [, tag, position] = POSITION.exec(text) ?? ["", "", ""];
  const fields = (written) => written.trim().split(/\s+/).slice(0, FIELDS).join(" ");
  return tag && fields(position) !== fields(data.position ?? "") ? tag : "";
}

/** The actions of a play by their names, with `fault`, the first that is none, or what the text sets up; null where the
 * text has no move of this game. */
export function readPlay(squares, text) {
  const names = Object.assign([], { fault: otherStart(squares.data, text) });
  if (names.fault) return names;
  const { game } = squares;
  const until = performance.now() + MOST_OPENING;
  let at = game.initial();
  for (const { written, point } of movesIn(text)) {
    if (performance.now() > until) { names.fault = written; break; }
    const here = game.node(at);
    const ways = here.options ?? here.outcomes ?? [];
    const fits = (option) => (point ? isPoint(squares, option, written) : isShortFor(squares, written, option, at));
    const same = here.kind === "everyone" || here.kind === "end" ? [] : ways.filter(({ name }) => name === written || name === written.toLowerCase());
    const found = same.length ? same : Array.isArray(ways[0]) ? [] : ways.filter(fits);
    if (found.length !== 1) { names.fault = written; break; }
    names.push(found[0].name);
    at = game.next(at, found[0].row);
  }
  return names.length ? names : null;
}

/** Whether an action is the stone at a point of SGF, or the pass that stands for none. */
function isPoint(squares, option, written) {
  const named = squares.squaresInName(option.name) ?? squares.data.boards[0]?.squares.filter((square) => option.squares.some(([type, value]) => square.is[type] === value)) ?? [];
  if (PASS.test(written)) return !named.length;
  if (named.length !== 1) return false;
  const [x, y] = [0, 1].map((k) => written.charCodeAt(k) - LETTER_A);
  return named[0].name === written || (named[0].x === x && named[0].y === y);
}
