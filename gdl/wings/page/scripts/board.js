// The boards of the page, on which moves are made by clicks, keys and drags.
import { button, element, symbol, text } from "./elements.js";
import { HIDDEN } from "./game.js";
import { linkTo } from "./link.js";
import { COLOUR, Men, crossing, glyphOn, ground, inColour, marked, seeds } from "./men.js";
import { Part } from "./play.js";
import { calledOf, matches } from "./squares.js";

const TOWARDS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DRAGGED = 6; // pixels that a pointer goes before it drags
const WIDE = matchMedia("(orientation: landscape)"); // a window wider than high

/** Whether a board is of wood, as those are on which men stand where lines cross, or lie in pits or on a track. */
const isWooden = ({ kind, look, pit }) => pit || ["crossings", "lanes"].includes(kind) || ["wedges", "rings"].includes(look);

/** Where things lie once a board of hexagons that stands on its tip, as that of hex, is turned by a sixth to lie on a side;
 * on other boards where they lay. */
function lyingDown({ kind, endless, squares }) {
  const turned = ({ x, y }) => ({ x: x / 2 - y * Math.sqrt(0.75), y: x * Math.sqrt(0.75) + y / 2 });
  const [left, top] = ["x", "y"].map((axis) => Math.min(...squares.map((square) => turned(square)[axis])));
  const isLower = Math.max(...squares.map((square) => turned(square).y)) - top < Math.max(...squares.map(({ y }) => y)) - 1;
  if (kind !== "hexagons" || endless || !isLower) return (thing) => thing;
  return (thing) => ({ x: turned(thing).x - left, y: turned(thing).y - top });
}

export class Boards extends Part {
  cursor = null; // where the keyboard is: a board's number and a square's
  squareOf = new WeakMap(); // what a square on the page stands for

  constructor(play, squares, box = byId("boards")) {
    super(play);
    this.squares = squares;
    this.men = new Men(play);
    this.box = box;
    WIDE.addEventListener("change", () => this.show());
  }

  /** The boards drawn anew; the square on which the keyboard was has it again. */
  show() {
    const boards = this.play.isCurtained() ? [] : this.data.boards;
    const focused = document.activeElement?.closest(".square, #choices") ? this.cursor : null;
    this.box.replaceChildren(...boards.map((board) => this.figure(board)));
    if (focused) this.box.querySelector(`[data-at="${focused}"]`)?.focus();
    this.offerChoices();
  }

  /** The boards that are drawn: not those all of which is hidden, if there are others. */
  shownBoards() {
    const cells = this.play.shownCells();
    const seen = this.data.boards.filter((board) => board.squares.some((square) => !square.cells.length || square.cells.some((at) => cells[at] !== HIDDEN)));
    return seen.length ? seen : this.data.boards;
  }

  /** The part of a board without end on which men stand or can be put, and a square around it. */
  aroundMen(board) {
    const ways = this.play.node.kind === "decision" ? this.play.node.options : this.play.options(); // while the computer thinks, too
    const taken = board.squares.filter((square) => this.squares.standing(board, square).sign || ways.some((option) => this.squares.stepsOf(option).some((step) => matches(step, square))));
    const [[left, right], [top, low]] = ["x", "y"].map((axis) => (taken.length ? taken : board.squares).map((each) => each[axis])).map((all) => [Math.min(...all) - 1, Math.max(...all) + 1]);
    return board.squares.filter(({ x, y }) => left <= x && x <= right && top <= y && y <= low);
  }

  figure(board) {
    const dots = board.dots ?? [];
    const near = board.endless ? this.aroundMen(board) : board.squares;
    const lie = WIDE.matches ? lyingDown(board) : (thing) => thing;
    const [left, top] = ["x", "y"].map((axis) => (board.endless ? Math.min(...near.map((each) => each[axis])) : 0));
    const [width, height] = ["x", "y"].map((axis) => Math.max(...[...near.map(lie), ...dots, { x: 0, y: board.ground ?? 0 }].map((each) => each[axis])) + 1);
    const room = board.labels.length ? 0.6 : 0.1;
    const labelsAbove = board.kind === "hexagons" && this.play.turned; // those of others are at their places however they are turned
    const shown = this.shownBoards();
    if (!shown.includes(board)) return "";
    const svg = element("svg", { viewBox: `${left - (labelsAbove ? 0.7 : room + 0.5)} ${top - (labelsAbove ? 1.1 : 0.6)} ${width - left + room + 0.2} ${height - top + (board.labels.length ? 0.7 : 0.3)}`, role: "group", "aria-label": board.title || this.play.say("board") });
    svg.style.maxWidth = `calc(${width - left + room} * max(6rem, 9vw))`; // of few squares a small board,
    svg.style.fontSize = `max(0.13px, ${Math.max(0.14, Math.min(0.55, 0.042 * Math.max(width - left, height - top)))}px * var(--label))`; // and its labels as large as those of others
    const at = (thing) => {
      const { x, y } = lie(thing);
      return this.play.turned ? [board.kind === "lanes" ? x : width - 1 - x + left, height - 1 - y + top] : [x, y];
    };
    if (board.kind === "lanes") svg.append(element("rect", { x: -0.6, y: -0.6, width: width + 0.2, height: height + 0.2, rx: 0.15, class: "frame" }));
    if (board.ground) svg.append(element("line", { x1: -0.5, x2: width - 0.5, y1: at({ x: 0, y: board.ground })[1], y2: at({ x: 0, y: board.ground })[1], class: "earth" }));
    for (const ends of board.edges) {
      const [[x1, y1], [x2, y2]] = ends.map((end) => at(board.squares[end]));
      svg.append(element("line", { x1, y1, x2, y2, class: "joined" }));
    }
    for (const label of board.endless ? [] : board.labels) {
      const [x, y] = board.kind === "hexagons" ? at(label) : label.y > height - 0.5 ? [at(label)[0], label.y] : [label.x, at(label)[1]];
      svg.append(element("text", { x, y, class: "label" }, document.createTextNode(label.text)));
    }
    const inCheck = this.squares.inCheck();
    const sparse = 3 * board.squares.filter((square) => this.play.options().some((option) => this.squares.begins(option, [square], true))).length < board.squares.length;
    for (const square of near) {
      const group = this.drawn(board, square, ...at(square), sparse, `${this.data.boards.indexOf(board)} ${board.squares.indexOf(square)}`);
      group.classList.toggle("check", inCheck.includes(square));
      svg.append(group);
    }
    for (const [x1, y1, x2, y2, owner] of board.sides ?? []) {
      const [start, end] = [at({ x: x1, y: y1 }), at({ x: x2, y: y2 })];
      svg.append(element("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1], class: "side", stroke: this.data.colours[owner] }));
    }
    for (const [x, y, name] of dots.map((dot) => [...at(dot), dot.name])) svg.append(element("circle", { cx: x, cy: y, r: 0.1, class: "point" }), text(name, { x: x + 0.22, y: y + 0.24, class: "label" }));
    for (const arrow of this.squares.arrows()) svg.append(...this.drawnArrows(board, arrow, at));
    return make("figure", { className: `${isWooden(board) ? "wood" : board.crossed ? "crossed" : ""} ${shown.some(({ squares }) => squares.length > board.squares.length) ? "lesser" : ""}`.trim() }, ...(shown.length > 1 ? [make("figcaption", { textContent: board.title })] : []), svg);
  }

  /** Arrows from each square to the next of those that an action names; on a track from each first one to a second, where
   * the men of `who` acts stand: one point is the bar of one player and the tray of the other. */
  drawnArrows(board, { steps, kind, who }, at) {
    const track = board.kind === "lanes";
    const named = steps.map((step) => board.squares.find((square) => matches(step, square) && (!track || square.cells[who] !== null)));
    return named.flatMap((to, k) => {
      const from = named[k - 1];
      if (!from || !to || from === to || (track && k % 2 === 0)) return [];
      const [[x1, y1], [x2, y2]] = [from, to].map((square) => at(square)).map(([x, y]) => [x, y + (track ? (y > 0 ? -2 : 2) : 0)]);
      const long = Math.hypot(x2 - x1, y2 - y1) - 0.12;
      const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      return [element("path", { d: `M.2 -.06H${long - 0.3}V-.18L${long} 0L${long - 0.3} .18V.06H.2Z`, transform: `translate(${x1} ${y1}) rotate(${turn})`, class: `way ${kind}` })];
    });
  }

  drawn(board, square, x, y, sparse, place) {
    const { sign, owner, name } = this.squares.standing(board, square);
    const men = (board.men || []).filter((each) => board.squares[this.play.shownCells()[each.cell]] === square);
    const group = element("g", { class: `square ${board.kind}${board.pit ? " pit" : ""}`, transform: `translate(${x} ${y})`, "data-at": place, role: "button" });
    const open = this.play.options().some((option) => this.squares.begins(option, [...this.play.picked, square]));
    const hinted = this.play.advised && this.play.options().find((option) => option.name === this.play.advised);
    const usable = Boolean(this.squares.pickedWith(square)) || this.play.picked.includes(square);
    setClasses(group, {
      open: usable, unseen: name === "hidden", dark: square.dark, chosen: this.play.picked.includes(square), gone: square.line && !sign, won: square.cells.some((cell) => this.squares.winners().has(cell)),
      target: open && (this.play.picked.length > 0 || this.play.options().length === 1 || (sparse && this.play.options().some((option) => this.squares.begins(option, [square], true)))),
      last: this.squares.lastMove().some((step) => matches(step, square)) && (!square.cells.length || this.squares.changed(square)),
      advised: hinted && this.squares.stepsOf(hinted).some((step) => matches(step, square)),
    });
    if (board.kind === "lanes") group.append(...this.men.lane(square, y > 0 ? -1 : 1));
    else if (square.line) group.append(...this.men.edge(square, owner));
    else group.append(board.pit ? element("ellipse", { rx: 0.46, ry: square.y % 1 ? 0.92 : 0.46, class: "ground" }) : element("g", {}, ground(board.kind, square), ...marked(square, sign || men.length)));
    if (board.kind === "crossings") group.append(...crossing(x, y, board));
    const pile = board.stacked ? this.squares.stack(board, square) : [];
    const said = square.line ? [] : board.pit && sign !== HIDDEN ? seeds(Number(sign)) : pile.length > 1 || COLOUR.test(pile[0]?.name) ? this.men.piled(pile, board) : this.men.man(sign, owner, name, board);
    const aside = said.length && (men.length || (board.men && owner !== null));
    const isNamed = board.kind === "points" && /\p{L}{2}/u.test(square.name); // Ulm, not a1
    if (square.called || isNamed || (board.men && !board.labels.length)) group.append(text(calledOf(square), { ...(isNamed ? { y: 0.41 } : { x: -0.36, y: -0.36 }), class: "name" }), " ");
    const standing = [...(aside ? [element("g", { transform: `translate(${owner === null ? "-0.26 0.26) scale(0.6)" : "-0.32 0.32) scale(0.4)"}` }, ...said)] : said), ...this.men.sideBySide(men, aside ? 0.8 : board.kind === "points" ? 0.7 : 1, board)];
    if (standing.length) group.append(board.pit ? element("g", {}, ...standing) : element("g", { class: "men" }, ...standing));
    const held = this.squares.holders(square);
    if (held.length) group.append(text(held.join(", "), { y: -0.33, "font-size": `${Math.min(0.24, 1.9 / held.join(", ").length)}px`, fill: "#222" }));
    group.append(element("circle", { r: 0.15, class: "dot" }));
    this.squareOf.set(group, square);
    const called = (each) => [each.owner === null ? "" : this.game.players[each.owner], each.name, each.name && (each.sign.length < 2 || glyphOn(board, each.name, each.owner ?? 0)) ? (board.crossed ? each.sign.replace(/\D/g, "") : "") : each.sign].filter(Boolean).join(" ");
    const told = [square.end ? this.play.say(square.end) : calledOf(square), ...men.map((each) => each.sign), pile.length > 1 ? pile.toReversed().map(called).join(", ") : called({ sign, owner, name }), ...men.map((each) => each.name), ...held];
    const title = told.filter(Boolean).join(" ");
    group.append(element("title", {}, document.createTextNode(title)));
    this.cursor ??= place;
    setAttributes(group, { tabindex: this.cursor === place ? "0" : "-1", "aria-disabled": String(!usable), "aria-label": title || place });
    group.addEventListener("focus", () => { this.cursor = place; });
    group.addEventListener("keydown", (event) => this.walk(event, group, () => this.squares.click(square)));
    group.addEventListener("click", () => this.squares.click(square));
    if (usable) group.addEventListener("pointerdown", (event) => this.lift(event, group, square));
    return group;
  }

  /** Keys on a square: arrows go to the nearest one that way, Enter and Space are a click. */
  walk(event, group, act) {
    const way = TOWARDS[event.key];
    if (!way && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) { act(); return; }
    const middle = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
    const [x, y] = middle(group);
    const far = (each) => {
      const [dx, dy] = [middle(each)[0] - x, middle(each)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return along > 1 && aside <= 2 * along ? along + 2 * aside : Infinity;
    };
    const next = [...this.box.querySelectorAll(".square")].reduce((best, each) => (far(each) < far(best) ? each : best), group);
    if (far(next) < Infinity) { group.setAttribute("tabindex", "-1"); next.setAttribute("tabindex", "0"); next.focus(); }
  }

  /** Where the squares that were clicked leave several actions, as a pawn's promotion does: buttons for them at the last
   * square, each with what will stand there if that tells them apart. */
  offerChoices() {
    const whole = this.play.picked.length ? this.play.options().filter((option) => this.squares.begins(option, this.play.picked, true)) : [];
    const last = this.play.picked[this.play.picked.length - 1];
    const board = this.data.boards.find((each) => each.squares.includes(last));
    if (!whole.length || !board) return;
    const left = whole.map((option) => (this.play.node.kind === "decision" && !this.data.hidden ? this.squares.standing(board, last, this.squares.seenAfter(option)) : { sign: "" }));
    const apart = new Set(left.map(({ sign }) => sign)).size === left.length && left.every(({ sign }) => sign);
    const buttons = whole.map((option, k) => {
      const made = button(apart ? "" : option.name, () => this.play.go(option.name));
      made.setAttribute("aria-label", option.name);
      if (apart) made.append(element("svg", { viewBox: "-0.5 -0.5 1 1", class: "square" }, ...this.men.man(left[k].sign, left[k].owner, left[k].name, board)));
      return made;
    });
    const square = this.box.querySelector(`[data-at="${this.data.boards.indexOf(board)} ${board.squares.indexOf(last)}"]`).getBoundingClientRect();
    const around = this.box.getBoundingClientRect();
    const choices = make("div", { id: "choices", role: "group", ariaLabel: this.play.say("Which one?") }, ...buttons);
    this.box.append(choices);
    choices.style.top = `${square.bottom - around.top}px`;
    choices.style.left = `${Math.max(0, Math.min(square.left - around.left, around.width - choices.offsetWidth))}px`;
    buttons[0].focus();
  }

  /** What of a man follows the pointer: all on a square but its ground; of one in a hand the drawing, or else its words. */
  drawingOf(group) {
    if (group.matches(".square")) return [...group.children].slice(1);
    return [group.querySelector("use") ?? text(group.textContent.replace(/ \d+$/, ""), { "font-size": "0.4px" })];
  }

  /** A man or a card is taken up and follows the pointer: where it is let go is the second click, or for a card the table. */
  lift(event, group, square) {
    const before = (this.squares.pickedWith(square) ?? []).slice(0, -1);
    const ways = this.play.options().filter((option) => this.squares.begins(option, [...before, square]) && !this.squares.begins(option, [...before, square], true));
    if (event.button || !ways.length) return;
    const svg = group.ownerSVGElement ?? this.box.querySelector("svg");
    let ghost = null;
    const move = (/** @type {any} */ { clientX, clientY }) => {
      if (!ghost && Math.hypot(clientX - event.clientX, clientY - event.clientY) < DRAGGED) return;
      if (!ghost) {
        const lifted = group.matches(".lanes") ? [symbol("man", inColour(this.data.colours[this.play.mover()]), 1.1)] : this.drawingOf(group).map((each) => each.cloneNode(true));
        ghost = square.card ? Object.assign(group.cloneNode(true), { className: `${group.className} ghost` }) : element("g", { class: "ghost" }, ...lifted);
        (square.card ? document.body : svg).append(ghost);
        group.classList.add("lifted");
        for (const each of this.box.querySelectorAll("[data-at]")) for (const mark of ["open", "target"]) each.classList.toggle(mark, ways.some((option) => this.squares.begins(option, [...before, square, this.squareOf.get(each)])));
      }
      if (square.card) { ghost.style.translate = `${clientX}px ${clientY}px`; return; }
      const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
    };
    const drop = (/** @type {any} */ { type, clientX, clientY }) => {
      document.removeEventListener("pointermove", move);
      for (const end of ["pointerup", "pointercancel"]) document.removeEventListener(end, drop);
      if (!ghost) return;
      ghost.remove();
      const below = type === "pointerup" ? document.elementFromPoint(clientX, clientY) : null;
      if (square.card && ways.length === 1 && !this.squares.stepsOf(ways[0]).length && below?.closest("#table") && !below.closest(".strip")) { this.play.go(ways[0].name); return; }
      const target = this.squareOf.get(below?.closest(".square"));
      if (!target || target === square || !ways.some((option) => this.squares.begins(option, [...before, square, target]))) { this.play.show(); return; }
      this.play.picked = [...before, square];
      this.squares.click(target);
    };
    document.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, drop);
  }
}

/** What is pressed beside the boards: which way they are seen, and with which letters; Escape lets go of what is picked. */
export class BoardButtons extends Part {
  constructor(play) {
    super(play);
    document.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !play.picked.length) return;
      play.picked = [];
      play.show();
    });
    byId("turn").hidden = !this.data.boards.length;
    byId("latin").hidden = !this.data.boards.some(({ look }) => look === "wedges");
    byId("latin").addEventListener("click", () => {
      play.latin = !play.latin;
      byId("latin").setAttribute("aria-pressed", String(play.latin));
      play.show();
    });
    byId("turn").addEventListener("click", () => {
      play.flipped = !play.flipped;
      play.show();
      history.replaceState(null, "", `#${linkTo(play)}`);
    });
  }

  show() { byId("turn").setAttribute("aria-pressed", String(this.play.flipped)); }
}
