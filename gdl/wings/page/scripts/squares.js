// The squares of the boards: what stands on them, which of them an action names, and moves by clicks on them.
import { HIDDEN, same } from "./game.js";
import { Part } from "./play.js";
import { winnerOf } from "./words.js";

export const calledOf = (square) => square.called ?? square.name;
export const matches = (step, square) => (step.column !== undefined ? square.column === step.column : square.is[step.type] === step.value && (step.within ?? square.within) === square.within);

/** Steps of which two are a move of a man, those first that were clicked; none where one was clicked that is not there. */
function inClickedOrder(steps, squares) {
  const left = [...steps];
  const first = [];
  for (let k = 0; k < squares.length; k += 2) {
    const found = left.findIndex((step, n) => n % 2 === 0 && matches(step, squares[k]) && (!squares[k + 1] || matches(left[n + 1], squares[k + 1])));
    if (found < 0) return [];
    first.push(...left.splice(found, 2));
  }
  return [...first, ...left];
}

const MOST_ARROWS = 3; // of a line

export class Squares extends Part {
  free = null; // the game whose actions require nothing

  constructor(play) {
    super(play);
    if (this.game.players.length === 2) play.above = this.data.boards.map((board) => this.whoIsAbove(board)).find((each) => each !== null) ?? null;
  }

  /** The player whose men stand above those of the other at the start, so that each looks at the other's; or null. */
  whoIsAbove(board) {
    const cells = this.game.view(this.play.start.state);
    const heights = [0, 1].map((player) => board.squares.filter((square) => (board.kind === "lanes" ? cells[square.cells[player]] > 0 : this.standing(board, square, cells).owner === player)).map(({ y }) => y));
    const [first, second] = heights.map((all) => all.reduce((sum, y) => sum + y, 0) / all.length);
    return Math.abs(first - second) > 1 ? Number(second < first) : null;
  }

  /** The squares of the first board by which actions are named, long names first. */
  named = this.data.boards.slice(0, 1).flatMap(({ squares }) => squares).filter((square) => Object.keys(square.is).length === 1).sort((a, b) => b.name.length - a.name.length);

  /** The men of a stack on a square, from below. */
  stack(board, square, cells = this.play.shownCells()) {
    const level = (k) => ({ ...square, cells: square.cells.filter((_, n) => n % board.stacked === k) });
    const one = { ...board, stacked: 0, variables: board.variables.filter((_, n) => n % board.stacked === 0) };
    return square.cells.slice(0, board.stacked).flatMap((at, k) => (cells[at] === null ? [] : [this.standing(one, level(k), cells)]));
  }

  /** What stands on a square, of a stack on top: a sign, whose it is, and what it is called. */
  standing(board, square, cells = this.play.shownCells()) {
    if (board.stacked) return this.stack(board, square, cells).at(-1) ?? { sign: "", owner: null, name: "" };
    const values = square.cells.map((at) => cells[at]);
    if (board.kind === "lanes") return { sign: "", owner: null, name: values.map((count, p) => (count ? `${count} ${this.game.players[p]}` : "")).join(" ").trim() };
    if (board.set) return { sign: values[0] !== HIDDEN && (BigInt(values[0]) >> BigInt(Object.values(square.is)[0])) & 1n ? "x" : "", owner: null, name: "" };
    const { variables } = board;
    const owner = values.map((value, k) => variables[k].owners[value]).find(Number.isInteger) ?? null;
    const known = values.map((value, k) => variables[k].signs.find(([each]) => same(each, value)));
    const signs = values.map((value, k) => known[k]?.[1] ?? (value === null || value === HIDDEN ? "." : String(value)));
    const more = signs.filter((each, k) => each !== "." && (!variables[k].players || values.length === 1)).join("");
    if (!more && values.includes(HIDDEN)) return { sign: variables.some(({ players }, k) => players && values[k] === null) ? "" : HIDDEN, owner, name: "hidden" };
    const said = board.said.find((row) => row.slice(0, -1).every((each, k) => same(each, values[k])));
    const empty = !values.some((value) => value) && values.includes(null) && !board.crossed;
    const sign = said?.at(-1) ?? (empty ? "." : more || signs.find((each) => each !== ".") || ".");
    if (sign === ".") return { sign: "", owner, name: "" };
    const names = values.map((value, k) => (known[k]?.[0] === true ? variables[k].called : variables[k].names[value]));
    return { sign, owner, name: names.filter(Boolean).join(" ") };
  }

  /** The names of the variables that hold this square, or have it in a set, and are drawn nowhere else. */
  holders(square) {
    const single = this.data.game.variables.filter(({ look, indices, placed }) => look === "words" && !indices.length && !placed);
    const named = ({ type, place }, value = this.play.shownCells()[place]) => ([null, HIDDEN].includes(value) ? [] : this.game.text(type, true)(value).replace(/^\{(.*)\}$/, "$1").split(", ")); // of a set all
    return /[a-z]/i.test(square.name) ? single.filter((variable) => named(variable).includes(square.name)).map(({ name }) => name.replaceAll("_", " ")) : [];
  }

  /** The squares that a name is made of, as e1g1 is; null where it is made of anything else. */
  squaresInName(name) {
    const found = [];
    let rest = name;
    while (rest) {
      const square = this.named.find((each) => rest.startsWith(each.name));
      if (!square) return null;
      found.push(square);
      rest = rest.slice(square.name.length).replace(/^[-x>/ ]/, "");
    }
    return found;
  }

  /** What of a board an action names, in its order: a square of a type, or a column. */
  stepsOf(option) {
    if (option.steps) return option.steps;
    const named = this.squaresInName(option.name) ?? [];
    const pairs = named.length > option.squares.length ? named.map((square) => Object.entries(square.is)[0]) : option.squares;
    const isNested = this.data.boards[0]?.squares[0].within !== undefined && pairs.length % 2 === 0; // each second one lies in the one before
    const steps = pairs.map(([type, value], k) => ({ type: String(type), value, ...(isNested && { within: pairs[k - 1]?.[1] }) }));
    return (option.steps = pairs.length ? steps.filter((_, k) => !isNested || k % 2) : option.columns.map((column) => ({ column })));
  }

  /** Whether clicks on some boards do it. */
  isClickable(option, boards = this.data.boards) { return boards.some((board) => board.squares.some((square) => this.begins(option, [...(this.handOf(option) ?? []), square]))); }

  /** What whoever acts sees before an action, or after it, whoever looks now. */
  seenBefore() { return this.game.view(this.play.state, this.data.hidden ? this.play.node.player : null); }
  seenAfter(option) { return (option.after ??= this.game.view(this.game.next(this.play.state, option.row), this.data.hidden ? this.play.node.player : null)); }

  /** The hand from which an action puts a man on a square, as a first click: where other actions move men, nobody drops one
   * by a stray click. Null for other actions. */
  handOf(option) {
    if (option.hand !== undefined) return option.hand;
    const hands = this.data.boards.length && this.play.node.kind === "decision" && this.stepsOf(option).length === 1 ? this.data.game.variables.filter(({ own, look, indices }) => own && look === "counters" && indices.length === 2) : [];
    const cells = hands.flatMap(({ place, count }) => Array.from({ length: count }, (_, k) => place + k));
    const moved = cells.length > 0 && this.play.options().some((each) => this.stepsOf(each).length > 1);
    const cell = moved ? cells.find((each) => this.seenAfter(option)[each] < this.seenBefore()[each]) : undefined;
    return (option.hand = cell === undefined ? null : [{ hand: cell }]);
  }

  /** A kind of men in the hand is clicked: the next click says where one is put. */
  pickInHand(hand) {
    Object.assign(this.play, { picked: this.play.picked[0]?.hand === hand ? [] : [{ hand }], notice: "" });
    this.play.show();
  }

  /** Whether an action is done on this square's board: of two seas with the same squares, on the one that it changes; one that cannot be, where others are. */
  isOn(option, square) {
    const both = this.data.boards.filter((board) => board.crossed).map((board) => board.squares.find(({ name }) => name === square.name));
    if (!both.includes(square) || this.play.node.kind !== "decision") return true;
    if (option.left) return this.play.options().some((each) => this.isClickable(each, this.data.boards.filter(({ squares }) => squares.includes(square))));
    return both.every((each) => each === square || each.cells.every((cell) => same(this.seenBefore()[cell], this.seenAfter(option)[cell])));
  }

  /** Whether an action's squares begin with those that were clicked, before which a card may be dragged; each click stands for all steps in a row that fit. */
  begins(option, squares, whole = false) {
    if (squares[0]?.card) return squares[0].card.includes(option.name) && (squares.length > 1 ? this.begins(option, squares.slice(1), whole) : !whole);
    if (squares.length && this.handOf(option)?.[0].hand !== squares[0].hand) return false;
    if (squares[0]?.hand !== undefined) return (!whole || squares.length > 1) && this.begins({ ...option, hand: null, steps: this.stepsOf(option) }, squares.slice(1), whole);
    const steps = this.data.boards[0].kind === "lanes" ? inClickedOrder(this.stepsOf(option), squares) : this.stepsOf(option);
    let at = 0;
    for (const square of squares) {
      if (at >= steps.length || !matches(steps[at], square) || !this.isOn(option, square)) return false;
      do at++; while (at < steps.length && matches(steps[at], square) && square.is[steps[at].type] !== undefined && Object.keys(square.is).length > 1);
    }
    return steps.length > 0 && (!whole || at === steps.length);
  }

  /** The clicks that stand once a square is clicked too: all before, or as many as go on with it, for a man that is picked
   * may be exchanged for another. Only what goes on with all of them is played at once. */
  pickedWith(square) {
    for (let kept = this.play.picked.length; kept >= 0; kept--) {
      const longer = [...this.play.picked.slice(0, kept), square];
      const fitting = this.play.options().filter((option) => this.begins(option, longer));
      if (fitting.length > 1 || (fitting.length && (kept === this.play.picked.length || !this.begins(fitting[0], longer, true)))) return longer;
    }
    return null;
  }

  /** A square is clicked: it goes on with a move, or lets go of what was picked; where it can do neither, that is said. */
  click(square) {
    const { play } = this;
    const [longer, again] = [this.pickedWith(square), play.picked.includes(square)];
    const goesOn = longer?.length > play.picked.length;
    const whole = goesOn ? play.options().filter((option) => this.begins(option, longer)) : [];
    if (whole.length === 1 && this.begins(whole[0], longer, true)) { play.go(whole[0].name); return; }
    const onBoard = [...play.picked, square].filter((each) => each.cells); // not in a hand
    const clicked = onBoard.map((each) => play.say(each.end ?? calledOf(each)));
    play.notice = !longer && !again && play.options().length ? this.refusal(clicked.filter(Boolean).join(" "), clicked, (option) => this.begins(option, onBoard, onBoard.length > 1), (option) => this.begins(option, onBoard)) : "";
    if (!goesOn && again) play.picked = play.picked.slice(0, play.picked.lastIndexOf(square));
    else play.picked = longer ?? play.picked.slice(0, -1);
    play.show();
  }

  /** That something is not possible here, and the line of the rules that refuses the action that it stands for: of those
   * that the first of these `fits` one whose line is told in words, of which most is kept. Where none is known that no man of the mover's is seen
   * on the square, if they are moved, or that it is of no use. */
  refusal(written, clicked, ...fits) {
    const freed = this.called(this.freed());
    const meant = fits.map((fit) => freed.filter((each) => fit({ ...each, hand: null }))).find((some) => some.length) ?? [];
    const isVague = ({ left }) => Number(!this.data.hidden && clicked.length > 0 && Array.isArray(left[0]) && (left[0][1] >= clicked.length || left[0][0].startsWith("nothing can")));
    const [best] = meant.toSorted((a, b) => isVague(a) - isVague(b) || a.left.length - b.left.length);
    const own = this.data.boards.flatMap((board) => board.squares.filter((each) => (board.kind === "lanes" ? Number(this.play.shownCells()[each.cells[this.play.mover()]]) : this.standing(board, each).owner === this.play.mover())).map((each) => this.play.say(each.end ?? calledOf(each))));
    const foreign = clicked.length === 1 && own.length && !own.includes(clicked[0]) && this.play.options().some((option) => this.stepsOf(option).length > 1);
    const told = best ? (best.left[0] ?? (this.free.told.rank || ["something else must be done"])) : foreign ? ["nothing of {1}'s is on {0}", 0] : clicked.length === 1 && ["nothing can be done with {0} now", 0];
    const reason = Array.isArray(told) ? this.play.say(told[0], clicked[told[1]] ?? clicked.at(-1) ?? written, this.play.actor(this.play.mover())) : told;
    return this.play.say(reason ? "“{0}” is not possible here: {1}." : "“{0}” is not possible here.", written, reason);
  }

  /** The rows of actions in a state with what of their conditions is not kept, in order (`left`), and what says that
   * something is to be mended (`alarm`). */
  rowsFreed(state) {
    const { told, move } = this.free;
    try {
      return Array.from({ length: this.free.list(state) }, (_, row) => {
        const [rule, kept] = move.subarray(row * told.wide);
        return { row, left: told.lines[rule]?.slice(kept) ?? [], alarm: told.alarms[rule - told.lines.length] };
      });
    } catch { // without what they require, actions may be none
      return [];
    }
  }

  /** Those of the present position. */
  freed() {
    const { at, node, state } = this.play;
    if (node.kind !== "decision" || !this.free) return [];
    return (at.freed ??= this.rowsFreed((at.unbound = { words: state.words })));
  }

  /** Rows of actions with their names and squares. */
  called(rows) { return rows.map((each) => ({ ...each, ...this.free.option(this.play.at.unbound, each.row, this.play.mover()) })); }

  /** The squares of whoever is to move on which a king stands in check. */
  inCheck() {
    if (!this.freed().some(({ alarm }) => alarm !== undefined)) return [];
    return this.data.boards.flatMap((board) => board.squares.filter((square) => {
      const { owner, name } = this.standing(board, square);
      return owner === this.play.mover() && /^(king|general)$/i.test(name);
    }));
  }

  /** What must be mended by this move, and what it must be because of a rank. */
  warnings() {
    const [{ play }, open] = [this, new Set(this.play.options().map(({ name }) => name))];
    const freed = play.isOpen() ? this.freed() : [];
    const alarms = freed.flatMap(({ alarm }) => alarm ?? []).map((alarm) => (this.inCheck().length ? play.say("{0} is in check", play.actor(play.mover())) : alarm)).filter(Boolean);
    const outranked = freed.length && this.free.told.rank && this.called(freed.filter(({ alarm, left }) => alarm === undefined && !left.length)).some((option) => !open.has(option.name) && this.isClickable(option));
    return [...alarms.slice(0, 1), outranked ? this.free.told.rank : ""].filter(Boolean).map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`);
  }

  /** The cells that hold what won: men of the winner's without which play would not be over; none where that is half of
   * them or more, as where the board is full. */
  winners() {
    const { at, node } = this.play;
    if (at.winners) return at.winners;
    const winner = node.kind === "end" && !this.data.hidden ? winnerOf(node.utilities) : null;
    if (winner === null) return new Set();
    const own = this.data.boards.flatMap((board) => {
      const k = board.variables.findIndex((each) => each.players);
      return k < 0 ? [] : board.squares.map(({ cells }) => cells[k]).filter((cell) => this.play.shownCells()[cell] === winner);
    });
    const needed = own.filter((cell) => !this.game.withCell(this.play.state, cell));
    return (at.winners = new Set(2 * needed.length <= own.length || needed.length < 8 ? needed : []));
  }

  /** What the last move names of the board, where everything is seen. */
  lastMove() {
    const place = this.data.hidden ? null : this.play.lastMade();
    if (!place) return [];
    return (place.named ??= this.game.node(place.parent.state).options.filter((option) => option.name === place.name).flatMap((option) => this.stepsOf(option)));
  }

  /** What is shown by arrows: the last move, a hint, and the line that the computer thinks best. */
  arrows() {
    const { play } = this;
    const hinted = play.advised && play.options().find((option) => option.name === play.advised);
    const found = byId("values").checked && !this.data.hidden ? play.at.found : null;
    const line = this.lineSteps(found?.line?.slice(0, MOST_ARROWS) ?? []);
    return [{ steps: this.lastMove(), kind: "was", who: play.lastMade()?.who }, ...line.map((each) => ({ ...each, kind: "best" })), ...(hinted ? [{ steps: this.stepsOf(hinted), kind: "advice", who: play.mover() }] : [])];
  }

  /** What each action of a line names of the boards, and whose it is, as far as nothing is drawn by chance. */
  lineSteps(names) { return this.game.along(this.play.state, names).steps.map(({ player, option }) => ({ steps: this.stepsOf(option), who: player })); }

  changed(square) { return square.cells.some((cell) => !same(this.game.view(this.play.state)[cell], this.game.view(this.play.lastMade().parent.state)[cell])); }
}
